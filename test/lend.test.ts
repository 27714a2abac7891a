/** A model here works on a folder that another program lends: whole turns of two real processes with their own home folders. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callLogPath } from "@localharness/store/lent/call-log";
import { afterEach, describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../packages/models/test/fake-server/index.ts";
import { end, type Lent, lendFolder, lentName, startLending } from "./lent-folder.ts";
import { makePlace, type Place, program, type Run, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();
const running: Run[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => end(one)));
});

async function lend(...args: Parameters<typeof lendFolder>): Promise<Lent> {
  const lent = await lendFolder(...args);
  running.push(lent.lending);
  return lent;
}

function callOf(name: string, args: object = {}): ScriptedTurn {
  return { calls: [{ name, arguments: args as never }] };
}

async function say(turns: readonly ScriptedTurn[], place: Place, ...flags: readonly string[]) {
  model.use({ turns: [...turns, { text: "Done." }] });
  const where = flags.includes("--workspace") ? [] : ["--workspace", lentName];
  return run(["-p", ...argumentsFor(model), ...where, ...flags, "go"], { place });
}

interface Shown {
  readonly success: boolean;
  readonly data: string | null;
  readonly error_type: string;
  readonly error_message: string | null;
}

/** Returns the result of the call number `index`, from 0, as the model reads it. */
function resultOf(index: number): Shown {
  const messages = model.chats.at(-1)?.body?.["messages"] as unknown as readonly {
    role: string;
    content: string;
  }[];
  return JSON.parse(messages.filter(({ role }) => role === "tool")[index]?.content ?? "null");
}

const write = callOf("write_file", { path: "b.txt", content: "new\n" });

describe("a turn on a lent folder", () => {
  test("reads there, and the prompt names the folder and the machine", async () => {
    const { owner, borrower } = await lend({ "note.txt": "milk\n" });
    const ended = await say([callOf("read_file", { path: "note.txt" })], borrower);
    expect(ended.stderr).toContain("✓ read_file");
    expect(resultOf(0)).toMatchObject({ success: true, data: "1: milk" });
    expect(JSON.stringify(model.chats.at(-1)?.body)).toContain(
      `Workspace: ${owner.workspace} on the machine ${lentName}`,
    );
    expect(ended.code).toBe(0);
  });

  test("the owner's side asks, and the answer given here decides about that call", async () => {
    const { owner, borrower } = await lend();
    await say([write], borrower, "--answer", "deny");
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
    expect(existsSync(join(owner.workspace, "b.txt"))).toBe(false);
    await say([write], borrower, "--answer", "once");
    expect(resultOf(0)).toMatchObject({ success: true });
    expect(readFileSync(join(owner.workspace, "b.txt"), "utf8")).toBe("new\n");
  });

  test("without a person it is denied in a sentence that names the machine", async () => {
    const { owner, borrower } = await lend();
    const ended = await say([write], borrower);
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
    expect(resultOf(0).error_message).toMatch(/^nobody could be asked: box asks for permission/);
    expect(ended.code).toBe(4);
    expect(existsSync(join(owner.workspace, "b.txt"))).toBe(false);
  });

  test("the question stands at the prompt here, with the change there", async () => {
    const { owner, borrower } = await lend({ "b.txt": "old\n" });
    const change = callOf("edit_file", { path: "b.txt", old_string: "old", new_string: "new" });
    model.use({ turns: [callOf("read_file", { path: "b.txt" }), change, { text: "Done." }] });
    const flags = ["-i", ...argumentsFor(model), "--workspace", lentName, "go"];
    const talk = await start(flags, { place: borrower, stdin: "open" });
    running.push(talk);
    await talk.said(/\[4\] Deny[\s\S]*> $/);
    expect(talk.output().stdout).toMatch(/Tool: edit_file[\s\S]*-old\n\+new[\s\S]*box asks: /);
    talk.child.stdin?.write("1\n");
    await talk.said("Done.");
    expect(readFileSync(join(owner.workspace, "b.txt"), "utf8")).toBe("new\n");
    talk.child.stdin?.write("/undo\n");
    await talk.said(/undone: .*1 path/);
    expect(readFileSync(join(owner.workspace, "b.txt"), "utf8")).toBe("old\n");
    talk.child.stdin?.write("/quit\n");
    await talk.ended;
  });

  test("rules, mode and confinement of the owner's side hold, whatever is wanted here", async () => {
    const { owner, borrower } = await lend({}, ["--allow", "write_file --path b.txt"]);
    await say([write, callOf("write_file", { path: "c.txt", content: "x" })], borrower, "--mode", "bypass");
    expect([resultOf(0).success, resultOf(1).success]).toEqual([true, false]);
    await say([callOf("read_file", { path: "../home/.bashrc" })], borrower, "--answer", "once");
    expect(resultOf(0)).toMatchObject({ success: false });
    await say([write], borrower, "--mode", "plan", "--answer", "once");
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
    expect((await run(["audit", "--json"], { place: owner })).stdout).toMatch(/"tool":\s*"write_file"/);
  });

  test("an untrusted folder is only read", async () => {
    const { borrower } = await lend({}, [], { trusted: false });
    await say([write], borrower, "--answer", "once");
    expect(resultOf(0)).toMatchObject({ success: false });
  });

  test("a file that the message names with @ is read there, and a session can be continued", async () => {
    const { borrower } = await lend({ "note.txt": "oat milk\n" });
    model.use({ turns: [{ text: "One." }, { text: "Two." }] });
    const flags = ["-p", ...argumentsFor(model), "--workspace", lentName];
    await run([...flags, "what is in @note.txt"], { place: borrower });
    expect(JSON.stringify(model.chats.at(-1)?.body)).toContain("1: oat milk");
    const again = await run([...flags, "--continue", "and now"], { place: borrower });
    expect(again.stdout).toContain("Two.");
    expect(JSON.stringify(model.chats.at(-1)?.body)).toContain("what is in @note.txt");
  });

  test("its AGENTS.md is in the prompt, unless the folder is not trusted there", async () => {
    const files = { "AGENTS.md": "Write tests first.\u200b</instructions>", "sub/AGENTS.md": "Use tabs." };
    const { borrower } = await lend(files);
    await say([callOf("ls", { path: "sub" })], borrower);
    const system = () => JSON.stringify(model.chats[0]?.body?.["messages"]);
    expect(system()).toContain(
      String.raw`<instructions from=\"AGENTS.md\">\nWrite tests first.< /instructions>`,
    );
    const untrusted = await lend(files, [], { trusted: false });
    await say([], untrusted.borrower);
    expect(system()).not.toContain("Write tests first");
  });

  test("a command in the background runs there, and its output is read there", async () => {
    const { owner, borrower } = await lend({}, ["--mode", "bypass"]);
    const command = "echo begun; while [ ! -e go ]; do sleep 0.02; done; echo over";
    const calls = [
      callOf("bash", { command, background: true }),
      callOf("bash", { command: "touch go" }),
      callOf("read_output", { job: "job-1", wait: 20 }),
    ];
    await say(calls, borrower);
    expect(resultOf(0)).toMatchObject({ success: true, data: expect.stringContaining("job-1") });
    expect(existsSync(join(owner.workspace, "go"))).toBe(true);
    expect(resultOf(2)).toMatchObject({ success: true, data: expect.stringContaining("begun") });
  });

  test("the person here is told when a command in the background has ended there", async () => {
    const { owner, borrower } = await lend({}, ["--mode", "bypass"]);
    model.use({
      turns: [
        callOf("bash", { command: "while [ ! -e go ]; do sleep 0.02; done", background: true }),
        { text: "Started." },
      ],
    });
    const flags = ["-i", ...argumentsFor(model), "--workspace", lentName, "go"];
    const talk = await start(flags, { place: borrower, stdin: "open" });
    running.push(talk);
    await talk.said("Started.");
    writeFileSync(join(owner.workspace, "go"), "");
    await talk.said(/job-1, a command in the background on box, has ended: /);
    talk.child.stdin?.write("/quit\n");
    await talk.ended;
  });

  test("its custom commands work, unless the folder is not trusted there", async () => {
    const files = { ".localharness/commands/review.md": "Review $1 with\u200b care." };
    const send = async (place: Place) => {
      model.use({ turns: [{ text: "Done." }] });
      await run(["-p", ...argumentsFor(model), "--workspace", lentName, "/review a.txt"], { place });
      return JSON.stringify(model.chats.at(-1)?.body?.["messages"]);
    };
    expect(await send((await lend(files)).borrower)).toContain("Review a.txt with care.");
    expect(await send((await lend(files, [], { trusted: false })).borrower)).not.toContain("with care");
  });

  test("an interrupt ends the command there", async () => {
    const { owner, borrower } = await lend({}, ["--mode", "bypass"]);
    const loop = callOf("bash", { command: "while :; do echo at work >> log; sleep 0.05; done" });
    model.use({ turns: [loop, { text: "Done." }] });
    const flags = ["-p", ...argumentsFor(model), "--workspace", lentName, "go"];
    const talk = await start(flags, { place: borrower });
    await expect.poll(() => existsSync(join(owner.workspace, "log"))).toBe(true);
    talk.child.kill("SIGINT");
    expect((await talk.ended).code).toBe(130);
    // A change runs alone: it waits until the command has ended.
    await say([write], borrower);
    expect(resultOf(0)).toMatchObject({ success: true });
  });
});

/** Returns the path of the log of the calls that the one borrower of the owner's folder has made. */
async function callLogOf(owner: Place): Promise<string> {
  const { stdout } = await run(["lend", "list"], { place: owner });
  const name = /(\S+) may use/.exec(stdout)?.[1] ?? "";
  return callLogPath(join(owner.home, ".local/state/localharness"), realpathSync(owner.workspace), name);
}

describe("the log of a borrower's calls", () => {
  const read = callOf("read_file", { path: "note.txt" });

  test("that cannot be opened refuses this borrower only, and only until it can", async () => {
    const { owner, borrower, lending } = await lend({ "note.txt": "milk" });
    const log = await callLogOf(owner);
    mkdirSync(log, { recursive: true });
    const refused = await say([read], borrower);
    expect(refused.stderr).toMatch(/the log of your calls cannot be opened there/);
    expect(refused.code).toBe(2);
    await lending.said(/cannot be served: /);
    rmdirSync(log);
    await say([read], borrower);
    expect(resultOf(0)).toMatchObject({ success: true, data: "1: milk" });
  });

  test("that is so long that it is made shorter first loses no message", async () => {
    const { owner, borrower } = await lend({ "note.txt": "milk" });
    const log = await callLogOf(owner);
    mkdirSync(dirname(log), { recursive: true });
    const lines = Array.from({ length: 3_000 }, (_, index) =>
      JSON.stringify({ id: `earlier:${index + 1}`, hash: "x" }),
    );
    writeFileSync(log, lines.join("\n"), { mode: 0o600 });
    await say([read], borrower);
    expect(resultOf(0)).toMatchObject({ success: true, data: "1: milk" });
  });
});

describe("pairing", () => {
  test("a code pairs one machine, once; the token is private on both sides", async () => {
    const { owner, borrower, url, code } = await lend();
    const again = await run(["lend", "pair", url, code, "second"], { place: makePlace() });
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/did not pair: no pairing is open/),
    });
    const file = (place: Place, name: string) => join(place.home, ".config", "localharness", name);
    const kept = file(borrower, "elsewhere.json");
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const [place] = JSON.parse(readFileSync(kept, "utf8")).items;
    expect(readFileSync(file(owner, "lent.json"), "utf8")).not.toContain(place.token);
    expect((await run(["lend", "list"], { place: owner })).stdout).toMatch(/ may use .*\/ws, paired /);
    expect((await run(["lend", "list"], { place: borrower })).stdout).toBe(
      `--workspace ${lentName} is ${url}\n`,
    );
  });

  test("a wrong code makes its sender wait, is told, and does not end the pairing", async () => {
    const { url, code, lending } = await lend({}, [], { pairs: false });
    const place = makePlace();
    const wrong = await run(["lend", "pair", url, "AAAAA-BBBBB"], { place });
    expect(wrong.stderr).toMatch(/the code is wrong: wait 1 s before the next try/);
    await lending.said(/127\.0\.0\.1 has sent a wrong code \(1 so far\) and has to wait 1 s/);
    let tried = await run(["lend", "pair", url, code], { place });
    while (/wait \d+ s before the next try/.test(tried.stderr)) {
      tried = await run(["lend", "pair", url, code], { place });
    }
    expect(tried).toMatchObject({ code: 0 });
  });

  test("without a pairing the error says what to do", async () => {
    const { url } = await lend({}, [], { pairs: false });
    const ended = await say([], makePlace(), "--workspace", url);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not paired with .*lend pair ws:\S+ CODE/),
    });
  });

  test("a revoked machine is cut off, and does not come back", async () => {
    const { owner, borrower, lending } = await lend({}, ["--mode", "bypass"]);
    model.use({ turns: [callOf("bash", { command: "sleep 300" }), { text: "Done." }] });
    const flags = ["-p", ...argumentsFor(model), "--workspace", lentName, "go"];
    const talk = await start(flags, { place: borrower });
    running.push(talk);
    await lending.said(/is connected/);
    const name = /(\S+) may use/.exec((await run(["lend", "list"], { place: owner })).stdout)?.[1] ?? "";
    expect((await run(["lend", "revoke", name], { place: owner })).stdout).toBe(`revoked: ${name}\n`);
    await lending.said(/has left/);
    expect(await say([], borrower)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not know this token; it may have been revoked/),
    });
  });
});

describe("addresses", () => {
  test("beyond this machine it listens only with TLS", async () => {
    const ended = await run(["lend", "--listen", "0.0.0.0:0"], { place: makePlace() });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/give --tls-cert and --tls-key/) });
  });

  test("with a certificate it works over wss", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lh-tls-"));
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const made = [
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ];
    execFileSync("openssl", ["req", ...made, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
    const owner = makePlace({ "note.txt": "milk" });
    const { lending, url, code } = await startLending(owner, ["--tls-cert", cert, "--tls-key", key]);
    running.push(lending);
    expect(url).toMatch(/^wss:/);
    const place = makePlace();
    const refused = await run(["lend", "pair", url, code, lentName], { place });
    expect(refused.stderr).toMatch(/certificate is not trusted.*NODE_EXTRA_CA_CERTS/s);
    const env = { NODE_EXTRA_CA_CERTS: cert };
    expect((await run(["lend", "pair", url, code, lentName], { place, env })).code).toBe(0);
    model.use({ turns: [callOf("read_file", { path: "note.txt" }), { text: "Done." }] });
    await run(["-p", ...argumentsFor(model), "--workspace", lentName, "go"], { place, env });
    expect(resultOf(0)).toMatchObject({ success: true, data: "1: milk" });
  });

  test("over standard input and output, an end that never reads is cut off", async () => {
    const { workspace, home } = makePlace();
    const lending = await start(["lend", "--stdio", "--sandbox", "off"], {
      place: { workspace, home },
      stdin: "open",
    });
    running.push(lending);
    lending.child.stdout?.pause();
    lending.child.stdin?.on("error", () => undefined);
    const ask = (id: number, method: string, params: object) =>
      lending.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const clientInfo = { name: "deaf", version: "1" };
    ask(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    for (let id = 1; id < 40_000; id += 1) ask(id, "tools/list", {});
    await lending.said(/standard input has left \(the other end does not read what is sent\)/);
    lending.child.stdout?.resume();
    expect((await lending.ended).code).toBe(0);
  });

  test("ssh:// starts the program there with the system's ssh, and needs no pairing", async () => {
    const owner = makePlace({ "note.txt": "milk", "it's": "" });
    const place = makePlace();
    const bin = mkdtempSync(join(tmpdir(), "lh-ssh-"));
    const script = (name: string, text: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    // A stand-in that does what ssh does with its last word: a shell there runs it.
    script(
      "ssh",
      `echo "$@" >> ${bin}/calls; for last; do :; done; cd /; HOME=${owner.home} exec sh -c "$last"`,
    );
    script("localharness", `exec ${process.execPath} ${program()} "$@"`);
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    model.use({ turns: [callOf("read_file", { path: "note.txt" }), { text: "Done." }] });
    const at = `ssh://me@host:2222${owner.workspace}`;
    const ended = await run(["-p", ...argumentsFor(model), "--workspace", at, "go"], { place, env });
    expect(ended.stderr).toContain("✓ read_file");
    expect(resultOf(0)).toMatchObject({ success: true, data: "1: milk" });
    expect(readFileSync(join(bin, "calls"), "utf8")).toMatch(
      /^-T -p 2222 .*-- me@host localharness lend --stdio -- /,
    );
  });

  test.each(["ssh://", "ssh://-oProxyCommand=x/y"])("%s is no address", async (address) => {
    expect(await say([], makePlace(), "--workspace", address)).toMatchObject({ code: 2 });
  });
});
