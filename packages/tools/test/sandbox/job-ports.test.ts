/** Servers that commands in the background start in the sandbox: other commands and, if the person allows it, this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCallDesk, createRegistry } from "@localharness/engine";
import { portsIn } from "@localharness/processes/sandbox/job-bridge";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import type { PermissionRequest } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createTools } from "../../src/tool-sets.ts";
import { type Bench, openBench } from "../bench.ts";

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:1F91 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   2: 00000000:0C38 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   0: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000
   1: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000
.
`;

test("the ports that are listened on are read from the kernel's tables, without those of the sandbox", () => {
  expect(portsIn(table, new Set([3128]))).toEqual([
    { port: 80, address: "TCP6:[::1]:80" },
    { port: 8080, address: "TCP4:127.0.0.1:8080" },
  ]);
  expect(portsIn("", new Set())).toEqual([]);
  expect(portsIn("   0: 0100007F:XXXX 0: 0A\n  9: ;rm:1F90 00000000:0000 0A ", new Set())).toEqual([]);
});

/** A server that says what it is; it answers at `port` of 127.0.0.1, or of [::1] for `::1`. */
const serverAt = (port: number, host = "127.0.0.1") =>
  `node -e 'require("http").createServer((q, a) => a.end("job at " + q.url)).listen(${port}, "${host}", () => console.log("ready"))'`;

async function openDesk(answer: "once" | "deny" | undefined) {
  const bench = await openBench({ sandbox: { mode: "require" } });
  const desk = createCallDesk({
    registry: createRegistry(createTools(bench.resources)),
    workspace: bench.root,
    mode: () => "auto",
    freedoms: { looks: true, confined: true },
  });
  const questions: PermissionRequest[] = [];
  const call = async (name: string, args: { readonly [key: string]: string | number | boolean }) =>
    await desk.run({
      name,
      arguments: { ...args },
      emit: (event) => {
        if (event.type === "permission-request") questions.push(event.request);
      },
      ...(answer === undefined ? {} : { answer: async () => answer }),
    });
  return { bench, call, questions };
}

/** Waits until a job of the bench has printed `ready`. */
async function ready({ resources }: Bench, job: string): Promise<void> {
  const { output } = (await resources.jobs.read(job, 20_000, AbortSignal.timeout(20_000))) ?? {};
  expect(output?.text).toContain("ready");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isOn = sandboxState("auto").kind === "on" && process.platform === "linux";

describe.skipIf(!isOn)("a server of a job in the sandbox", () => {
  test("is opened to this machine after one question, and closed when the job ends", async () => {
    const { bench, call, questions } = await openDesk("once");
    const port = await freePort();
    await call("bash", { command: serverAt(port), background: true });
    await ready(bench, "job-1").catch(() => undefined);
    const later = await call("read_output", { job: "job-1" });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({
      toolName: "open_port",
      arguments: { job: "job-1", open: `127.0.0.1:${port}`, port },
      answers: ["once", "deny"],
      grade: "lasting",
      reason: `opens 127.0.0.1:${port} to your browser and every program here`,
    });
    expect(later.success).toBe(true);
    const pages = await Promise.all(
      ["/a", "/b", "/c"].map(async (path) => await (await fetch(`http://127.0.0.1:${port}${path}`)).text()),
    );
    expect(pages).toEqual(["job at /a", "job at /b", "job at /c"]);
    await bench.resources.jobs.end("job-1");
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  test.each(["127.0.0.1", "::1"])("at %s is reached by later commands without a question", async (host) => {
    const { bench, call, questions } = await openDesk(undefined);
    const port = await freePort();
    const started = await call("bash", { command: serverAt(port, host), background: true });
    expect(started.data).toMatch(/job-1/);
    await ready(bench, "job-1");
    const asked = await call("bash", { command: `curl -s http://127.0.0.1:${port}/x` });
    expect(asked.data).toContain("job at /x");
    expect(questions).toEqual([]);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  test("stays closed to this machine if the person says no, and they are asked once", async () => {
    const { bench, call, questions } = await openDesk("deny");
    const port = await freePort();
    await call("bash", { command: serverAt(port), background: true });
    await ready(bench, "job-1").catch(() => undefined);
    await call("read_output", { job: "job-1" });
    await call("read_output", { job: "job-1" });
    expect(questions).toHaveLength(1);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  test("whose port is taken here is opened at another one, which the question names", async () => {
    const { bench, call, questions } = await openDesk("once");
    const own = createServer((_, response) => response.end("mine"));
    await new Promise<void>((resolve) => {
      own.listen(0, "127.0.0.1", resolve);
    });
    const { port } = own.address() as AddressInfo;
    try {
      await call("bash", { command: serverAt(port), background: true });
      await ready(bench, "job-1").catch(() => undefined);
      await call("read_output", { job: "job-1" });
      expect(questions[0]?.reason).toMatch(new RegExp(`port ${port} of this machine is taken`));
      const open = String(questions[0]?.arguments["open"]);
      expect(open).not.toBe(`127.0.0.1:${port}`);
      expect(await (await fetch(`http://${open}/y`)).text()).toBe("job at /y");
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("mine");
    } finally {
      own.closeAllConnections();
      own.close();
    }
  });

  test("a command cannot use the helper or its sockets", async () => {
    const { call } = await openDesk(undefined);
    const look = await call("bash", { command: "sleep 20", background: true });
    expect(look.success).toBe(true);
    const tried = await call("bash", {
      command: `ls /dev/localharness 2>&1; python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2>&1 | tail -1`,
    });
    expect(tried.data).toMatch(/No such file or directory[\s\S]*(?:not permitted|Permission)/);
  });
});
