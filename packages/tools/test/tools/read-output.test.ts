/** Checks commands in the background: a real server, its output, its end, and that no process stays. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRegistry, type ToolOutput } from "@localharness/engine";
import { maxJobs } from "@localharness/processes/children/jobs";
import type { Sandbox } from "@localharness/processes/sandbox/sandbox";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createTools } from "../../src/tool-sets.ts";
import { type Bench, openBench, said } from "../bench.ts";

const serve = `exec '${process.execPath}' -e '
  const server = require("node:http").createServer((_request, response) => response.end("here"));
  server.listen(0, "127.0.0.1", () => console.log("port " + server.address().port + " pid " + process.pid));
'`;

/** Starts a command in the background and returns the id of its job. */
async function begin(bench: Bench, command: string, more = {}): Promise<string> {
  const text = said(await bench.call("bash", { command, background: true, ...more }));
  return /^(job-\d+) runs in the background/.exec(text)?.[1] ?? text;
}

/** Reads until the text matches. */
async function readTo(bench: Bench, job: string, wanted: RegExp): Promise<string> {
  for (let text = ""; ; ) {
    text += said(await bench.call("read_output", { job, wait: 60 }));
    if (wanted.test(text)) return text;
    if (text.includes("has ended")) throw new Error(`it ended without ${wanted}: ${text}`);
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  while (lives(pid)) await sleep(10);
}

const pidIn = (text: string) => Number(/pid (\d+)/.exec(text)?.[1]);

describe("a command in the background", () => {
  test("goes on after its call and after an interrupt, answers on loopback, and ends with the session", async () => {
    const bench = await openBench();
    const interrupted = new AbortController();
    const started = await bench.call("bash", { command: serve, background: true }, interrupted.signal);
    expect(said(started)).toMatch(
      /^job-1 runs in the background\. You are told when it ends\. It does not outlive this program\.$/,
    );
    interrupted.abort();
    const text = await readTo(bench, "job-1", /port \d+ pid \d+/);
    expect(text).toMatch(/\[job-1 is running\]$/);
    const answer = await fetch(`http://127.0.0.1:${/port (\d+)/.exec(text)?.[1]}`);
    expect(await answer.text()).toBe("here");
    expect(bench.resources.jobs.list()).toMatchObject([{ id: "job-1", command: serve, ended: undefined }]);
    await bench.resources.close();
    await gone(pidIn(text));
  });

  test("gives each piece of output once, then its end, and keeps its name in the list", async () => {
    const bench = await openBench();
    const job = await begin(bench, "echo one; read -r line < go; echo two; exit 3");
    // It cannot be opened before it is there, so the command ends at once.
    const text = await readTo(bench, job, /has ended/);
    expect(text.match(/one/g)).toHaveLength(1);
    expect(text).toMatch(/two[\s\S]*\[job-1 has ended: exit code: 3\]$/);
    expect(said(await bench.call("read_output", { job }))).toBe("[job-1 has ended: exit code: 3]");
    expect(bench.resources.jobs.list()).toMatchObject([{ ended: "exit code: 3", lastLine: "two" }]);
  });

  test("without new output a read says so at once, the same each time", async () => {
    const bench = await openBench();
    const job = await begin(bench, "sleep 600");
    const texts = [await bench.call("read_output", { job }), await bench.call("read_output", { job })];
    expect(texts.map(said)).toEqual(["[job-1 is running]", "[job-1 is running]"]);
    expect(await bench.resources.jobs.end(job)).toBe(true);
    expect(await bench.resources.jobs.end(job)).toBe(false);
    expect(said(await bench.call("read_output", { job }))).toMatch(/has ended: ended by the person/);
  });

  test("has a time limit when one is given", async () => {
    const bench = await openBench();
    const job = await begin(bench, "sleep 600", { timeout_ms: 50 });
    expect(await readTo(bench, job, /has ended/)).toBe("[job-1 has ended: ended at its time limit]");
  });

  test("ends with everything that it started", async () => {
    const bench = await openBench();
    const job = await begin(bench, `(${serve}) & wait`);
    const pid = pidIn(await readTo(bench, job, /pid \d+/));
    expect(lives(pid)).toBe(true);
    await bench.resources.jobs.end(job);
    await gone(pid);
  });

  test("is refused, with its end told, when it exceeds the limits of commands", async () => {
    const bench = await openBench({ childLimits: { processes: 3 } });
    const job = await begin(bench, "for i in 1 2 3 4 5 6; do sleep 600 & done; wait");
    expect(await readTo(bench, job, /has ended/)).toMatch(/killed by SIGKILL \(more than 3 processes/);
  });

  test("is told of once when it has ended by itself and nobody has read its end", async () => {
    const bench = await openBench();
    const { jobs } = bench.resources;
    const ended: string[] = [];
    jobs.watch((job) => ended.push(`${job.id}: ${job.ended}`));
    await begin(bench, "exit 4");
    const read = await begin(bench, "exit 5");
    const stopped = await begin(bench, "sleep 600");
    await jobs.end(stopped);
    await readTo(bench, read, /has ended/);
    while (jobs.list().some(({ ended }) => ended === undefined)) await sleep(10);
    expect(jobs.takeNotes()).toEqual(["The background job job-1 (exit 4) has ended: exit code: 4."]);
    expect(jobs.takeNotes()).toEqual([]);
    // The person has ended the third one, so that they know.
    expect(ended.sort()).toEqual(["job-1: exit code: 4", "job-2: exit code: 5"]);
  });

  test("runs beside others up to a limit; the next session has none of them", async () => {
    const bench = await openBench();
    for (let index = 0; index < maxJobs; index += 1) await begin(bench, "exec sleep 600");
    expect(await bench.call("bash", { command: "sleep 600", background: true })).toMatchObject({
      errorType: "validation_failed",
      message: expect.stringContaining("16 jobs run already"),
    });
    await bench.resources.jobs.clear();
    expect(bench.resources.jobs.list()).toEqual([]);
    expect(await bench.call("read_output", { job: "job-1" })).toMatchObject({
      errorType: "not_found",
      message: expect.stringMatching(/^There is no job "job-1"\. No job was started/),
    });
  });

  test.each([{}, { background: true }])("tells that its sandbox was not released: %j", async (more) => {
    const { resources } = await openBench();
    const done = () => {
      throw new Error("EPERM");
    };
    const started = { program: "/bin/sh", args: ["-c", "true"], environment: {}, gitSettings: {}, done };
    const sandbox: Sandbox = {
      ...resources.sandbox,
      state: { kind: "on", summary: "" },
      wrap: async () => ({ ...started, closed: [], byRules: [], held: [], home: undefined }),
    };
    const registry = createRegistry(createTools({ ...resources, sandbox }));
    const context = { callId: "c", signal: new AbortController().signal, report: () => undefined };
    const output = await registry.execute("bash", { command: "true", ...more }, context);
    const later = await resources.jobs.read("job-1", 60_000, context.signal);
    const told = later?.ended ?? (output.ok ? output.notes?.join("; ") : undefined);
    expect(told).toContain("its sandbox was not released: EPERM");
  });

  test("is examined like any other command", async () => {
    const bench = await openBench();
    const command = "rm -rf build; curl http://example.com";
    expect(await bench.examine("bash", { command, background: true })).toEqual(
      await bench.examine("bash", { command }),
    );
    const refused: ToolOutput = await bench.call("bash", { command: "rm -rf /", background: true });
    expect(refused).toMatchObject({ ok: false, errorType: "permission_denied" });
    expect(bench.resources.jobs.list()).toEqual([]);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("does not outlive a harness that %s ends", async (signal) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "ws"));
    const script = join(import.meta.dirname, "../fixtures/background-job.ts");
    const args = [script, join(folder, "ws"), join(folder, "state"), serve];
    const harness = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    for await (const piece of harness.stdout) {
      text += piece;
      if (/pid \d+/.test(text)) break;
    }
    const pid = pidIn(text);
    expect(lives(pid)).toBe(true);
    const exited = once(harness, "exit");
    harness.kill(signal);
    await exited;
    await gone(pid);
  });
});
