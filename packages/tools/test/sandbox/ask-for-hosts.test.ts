/** Asks about the hosts of commands while they run in the real sandbox. The hosts are servers of this test on loopback. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AskForTool, QuestionElsewhere, ToolContext } from "@localharness/engine";
import { maxDenied } from "@localharness/processes/sandbox/host-questions";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import type { JsonObject } from "@localharness/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

let port = 0;
const reached: string[] = [];
const server = createServer((request, response) => {
  reached.push(request.headers.host ?? "");
  response.end("good day\n");
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Given = Awaited<ReturnType<AskForTool>>;
const once = { answer: "once", offer: "once" } as const;
const session = { answer: "once", offer: "session" } as const;
const deny = { answer: "deny" } as const;

/** Opens a workspace whose addresses `127.0.0.x` count as hosts of the internet, and answers each question. */
async function opened(answer: (question: QuestionElsewhere, signal: AbortSignal) => Given | Promise<Given>) {
  const bench = await openBench({
    sandbox: { mode: "require", isPublic: (address) => /^127\.0\.0\./.test(address) },
    environment: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
  const questions: QuestionElsewhere[] = [];
  const ask: AskForTool = async (question, signal) => {
    questions.push(question);
    return await answer(question, signal);
  };
  const attended = attendedBy(ask);
  return {
    bench,
    questions,
    hosts: () => questions.map((one) => one.arguments["host"]),
    call: (command: string, more: Partial<ToolContext> = {}, args = {}) =>
      bench.call("bash", { command, ...args }, { ...attended, ...more }),
  };
}

/** Returns the context of a call of the session's own model, with a person who answers. */
function attendedBy(ask: AskForTool) {
  return { ask, interactive: true, aside: {} as NonNullable<ToolContext["aside"]> };
}

/** Returns a command that fetches a page of each address, through the proxy of the sandbox. */
const fetching = (...hosts: readonly string[]) =>
  hosts.map((host) => `curl -sS --noproxy '' http://${host}:${port}/`).join("; ");

describe.skipIf(sandboxState("auto").kind !== "on" || process.platform !== "linux")(
  "a command that reaches a host which is not allowed",
  () => {
    test("waits for the person, who is asked once for each host, and goes on by the answers", async () => {
      const { call, questions, hosts } = await opened(({ arguments: { host } }) =>
        host === "127.0.0.1" ? once : deny,
      );
      const output = await call(fetching("127.0.0.1", "127.0.0.1", "127.0.0.2"));
      expect(said(output)).toBe("good day\ngood day\nConnection blocked by network allowlist\nexit code: 0");
      expect(hosts()).toEqual(["127.0.0.1", "127.0.0.2"]);
      expect(questions[0]).toMatchObject({
        toolName: "reach_host",
        arguments: { command: expect.stringMatching(/^curl/), host: "127.0.0.1", port },
        reason: expect.stringMatching(/tries to reach 127\.0\.0\.1/),
        offers: [{ id: "once" }, { id: "session" }],
      });
      expect(output.notes?.join()).toMatch(/the person did not let this command reach 127\.0\.0\.2/);
    });

    test("makes one question, however many connections to the host wait", async () => {
      const { call, hosts } = await opened(() => once);
      const output = await call(`for i in 1 2 3 4 5 6; do ${fetching("127.0.0.1")} & done; wait`);
      expect(said(output).match(/good day/g)).toHaveLength(6);
      expect(hosts()).toEqual(["127.0.0.1"]);
    });

    test("asks again in the next command after an answer for one, and not after one for the session", async () => {
      const answers = [once, session];
      const { bench, call, hosts } = await opened(() => answers.shift());
      for (const _ of [1, 2, 3]) expect(said(await call(fetching("127.0.0.1")))).toContain("good day");
      expect(hosts()).toEqual(["127.0.0.1", "127.0.0.1"]);
      expect(bench.resources.sandbox.domains).toEqual(["127.0.0.1"]);
      // A host of the session is open where nobody is asked, too.
      expect(said(await bench.call("bash", { command: fetching("127.0.0.1") }))).toContain("good day");
    });

    test("loses none of its time while the person thinks", async () => {
      const { call } = await opened(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return once;
      });
      expect(said(await call(fetching("127.0.0.1"), {}, { timeout_ms: 1400 }))).toContain("good day");
    });

    test("ends at an interrupt, with its question", async () => {
      const interrupt = new AbortController();
      const { call } = await opened(
        (_question, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve(undefined), { once: true });
            interrupt.abort();
          }),
      );
      const output = await call(fetching("127.0.0.1"), { signal: interrupt.signal });
      expect(output).toMatchObject({ ok: false, errorType: "cancelled" });
    });

    test("takes its question back when it ends by itself", async () => {
      let isOver = false;
      const { call } = await opened(
        (_question, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve(undefined), { once: true });
            signal.addEventListener("abort", () => (isOver = true), { once: true });
          }),
      );
      const output = said(await call(`curl -sS -m 0.3 --noproxy '' http://127.0.0.1:${port}/ 2>&1`));
      expect(output).toMatch(/timed out/);
      expect(isOver).toBe(true);
    });

    test("is refused without a question after some denials, and the result says so", async () => {
      const { call, hosts } = await opened(() => deny);
      const flood = `for i in $(seq 1 60); do curl -sS --noproxy '' http://127.0.0.$i:${port}/ >/dev/null & done; wait`;
      const output = await call(flood);
      expect(hosts()).toHaveLength(maxDenied);
      expect(output.notes?.join()).toMatch(/57 more connections were refused without a question/);
    });

    test("is told about addresses of this machine and its networks without a question", async () => {
      const { call, hosts } = await opened(() => once);
      const output = await call(fetching("10.1.2.3", "0x7f000101", "169.254.169.254"));
      expect(said(output)).not.toContain("good day");
      expect(hosts()).toEqual([]);
      expect(output.notes?.join()).toMatch(/10\.1\.2\.3, 127\.0\.1\.1, 169\.254\.169\.254: this machine/);
    });

    const { aside: _own, ...ofAgent } = attendedBy(async () => once);
    test.each<readonly [string, JsonObject, Partial<ToolContext>]>([
      ["in a run without a person", {}, { interactive: false }],
      ["in mode bypass", {}, { mode: "bypass" }],
      ["in mode plan", {}, { mode: "plan" }],
      ["in a command that only reads", {}, { examined: { readOnly: true } }],
      ["in the background", { background: true }, {}],
    ])("is refused at once %s", async (_title, args, more) => {
      const before = reached.length;
      const { bench, call, hosts } = await opened(() => once);
      await call(fetching("127.0.0.1"), more, args);
      await bench.resources.jobs.whenEnded("job-1");
      expect([hosts(), reached.length]).toEqual([[], before]);
    });

    test("is refused at once in a call of an agent or of another program", async () => {
      const before = reached.length;
      const { bench } = await opened(() => once);
      await bench.call("bash", { command: fetching("127.0.0.1") }, ofAgent);
      expect(reached.length).toBe(before);
    });
  },
);
