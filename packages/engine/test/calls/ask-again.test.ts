/**
 * A call runs only as it was shown: facts that change while a person is asked, and requests that are answered
 * elsewhere.
 */
import type { CallFacts, SessionOptions, Tool } from "@localharness/engine";
import type { PermissionAnswer } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { memoryPolicyStore } from "../memory-policy-store.ts";
import { expectSound, openSession, runTurn } from "../open-session.ts";
import { type Asked, call, say } from "../scripted-model.ts";

const writes = (path: string, more: Partial<CallFacts> = {}): CallFacts => ({
  paths: [{ path, access: "write" }],
  ...more,
});

/** A tool whose looks find one of the facts each, the last of them from then on. */
function seeing(facts: readonly CallFacts[], more: Partial<Tool> = {}): Tool {
  const left = [...facts];
  return makeTool({
    name: "write",
    readOnly: false,
    risk: "high",
    examine: () => (left.length > 1 ? left.shift() : left[0]) ?? {},
    ...more,
  });
}

function session(
  tool: Tool,
  more: Partial<SessionOptions> & { answers?: readonly PermissionAnswer[]; asked?: readonly Asked[] } = {},
) {
  const { asked = [["write", { path: "a" }]], ...options } = more;
  return openSession({ steps: [call(...asked), say("ok")], tools: [tool, makeTool()], ...options });
}

const outcome = (opened: ReturnType<typeof openSession>) => ({
  prompts: opened.of("permission-request").length,
  result: opened.results().map(({ result }) => result.error_type),
});

describe("a call whose facts change while the person is asked", () => {
  const protectedName = { id: "protected:.git", decision: "ask", reason: "r" } as const;
  test.each<readonly [string, CallFacts, CallFacts]>([
    ["paths", writes("a"), writes("b")],
    ["access", writes("a"), { paths: [{ path: "a", access: "read" }] }],
    ["concerns", writes("a"), writes("a", { concerns: [protectedName] })],
    ["scope", { scope: "hash 1" }, { scope: "hash 2" }],
    ["risk", { risk: "medium" }, { risk: "high" }],
    [
      "what runs",
      { command: { text: "x", calls: [["x"]] } },
      { command: { text: "x", calls: [["x"], ["y"]] } },
    ],
    ["the state that was shown", writes("a", { seen: "1" }), writes("a", { seen: "2" })],
  ])("is asked about again, with the reason: %s", async (title, before, after) => {
    const opened = session(seeing([before, after]), { answers: ["once", "once"] });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 2, result: ["none"] });
    const [first, second] = opened.of("permission-request").map((event) => event.request);
    const what = title === "the state that was shown" ? "a" : "what the call would do";
    const again = `asked again, because ${what} changed after the question before; `;
    expect(first?.reason).not.toContain("asked again");
    expect(second?.reason).toMatch(new RegExp(`^${again}`));
    expect(first?.requestId).not.toBe(second?.requestId);
    expect(second?.paths).toEqual(after.paths);
    expect(second?.argumentsHash).toBe(first?.argumentsHash);
  });

  test("is asked about once when nothing changed but what does not matter", async () => {
    const opened = session(
      seeing([writes("a", { covers: "x", writesBytes: 1 }), writes("a", { writesBytes: 2 })]),
      {
        answers: ["once"],
      },
    );
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 1, result: ["none"] });
  });

  test("is denied when they change again", async () => {
    const opened = session(seeing([writes("a"), writes("b"), writes("c")]), {
      answers: ["once", "session", "once"],
    });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 2, result: ["permission_denied"] });
    expect(opened.results()[0]?.result.error_message).toMatch(
      /^not run: what this call would touch changed again and again/,
    );
  });

  test("runs without another prompt when a rule allows what it has become", async () => {
    const rules = [{ id: "r", decision: "allow", justification: "j", path: "tmp/**" } as const];
    const policyStore = memoryPolicyStore(rules.slice());
    const opened = session(seeing([writes("a"), writes("tmp/a")]), { answers: ["once"], policyStore });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 1, result: ["none"] });
  });

  test("is denied when a rule denies what it has become", async () => {
    const rules = [{ id: "r", decision: "deny", justification: "j", path: ".env" } as const];
    const policyStore = memoryPolicyStore(rules.slice());
    const opened = session(seeing([writes("a"), writes(".env")]), { answers: ["once"], policyStore });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 1, result: ["permission_denied"] });
  });

  test("an answer is kept for what it was given to, not for what came after", async () => {
    const policyStore = memoryPolicyStore();
    const opened = session(seeing([{ scope: "1" }, { scope: "2" }]), {
      answers: ["remember", "once"],
      policyStore,
    });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 2, result: ["none"] });
    expect(policyStore.rules).toEqual([]);
  });

  test("a mode that denies it by then denies it", async () => {
    const opened = session(seeing([writes("a")]));
    opened.session.subscribe((event) => {
      if (event.type !== "permission-request") return;
      opened.session.send({ type: "set-mode", mode: "plan" });
      opened.session.send({ type: "permission-answer", requestId: event.request.requestId, answer: "once" });
    });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 1, result: ["permission_denied"] });
  });
});

describe("a call that was allowed is looked at once more before it runs", () => {
  test("and does not run when it has become one that would be asked about", async () => {
    const rules = [{ id: "r", decision: "allow", justification: "j", path: "src/**" } as const];
    const opened = session(seeing([writes("src/a"), writes("b")]), {
      policyStore: memoryPolicyStore(rules.slice()),
    });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 0, result: ["permission_denied"] });
    expect(opened.results()[0]?.result.error_message).toMatch(
      /^not run: what this call would touch has changed since it was allowed/,
    );
    expect(opened.of("tool-start")).toEqual([]);
  });

  test("and does not run when it changes after the answer was checked", async () => {
    const opened = session(seeing([writes("a"), writes("a"), writes("b")]), { answers: ["once"] });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 1, result: ["permission_denied"] });
  });

  test("and runs when a rule allows what it has become; the tool gets the newest facts", async () => {
    const found: unknown[] = [];
    const tool = seeing([writes("src/a"), writes("src/b")], {
      execute: async (_args, { examined }) => {
        found.push(examined);
        return { ok: true, data: "ok" };
      },
    });
    const opened = session(tool, { mode: "bypass" });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 0, result: ["none"] });
    expect(found).toEqual([writes("src/b")]);
  });

  test("a read is looked at once", async () => {
    let looks = 0;
    const examine = () => {
      looks += 1;
      return {};
    };
    await runTurn(session(seeing([], { readOnly: true, risk: "safe", examine })));
    expect(looks).toBe(1);
  });
});

describe("a prompt", () => {
  test("shows concerns, paths, the sandbox and how many calls wait", async () => {
    const concern = { id: "protected:.git", decision: "ask", reason: "git runs it" } as const;
    const opened = session(seeing([writes(".git/x", { concerns: [concern] })]), {
      asked: [
        ["look"],
        ["write", { path: "a" }],
        ["write", { path: "b" }],
        ["write", { path: "a" }],
        ["look", { path: "c" }],
      ],
      answers: ["deny", "deny", "deny"],
      sandbox: "none: commands run as you",
    });
    await runTurn(opened);
    const requests = opened.of("permission-request").map((event) => event.request);
    expect(requests.map((request) => request.waiting)).toEqual([3, 2, 1]);
    expect(requests[0]).toMatchObject({
      concerns: [{ id: "protected:.git", reason: "git runs it" }],
      paths: [{ path: ".git/x", access: "write" }],
      sandbox: "none: commands run as you",
      rule: "built-in:protected:.git",
      covers: "this one call: built-in:protected:.git asks each time",
    });
  });

  test.each([15, 2])(
    "about reads side by side counts down those that wait, in batches of %i",
    async (callsPerIteration) => {
      const concern = { id: "outside", decision: "ask", reason: "outside of the workspace" } as const;
      const opened = openSession({
        steps: [call(...["a", "b", "c", "d"].map((path) => ["look", { path }] as const)), say("ok")],
        tools: [makeTool({ examine: async () => ({ concerns: [concern] }) })],
        answers: ["once", "deny", "once", "once"],
        limits: { callsPerIteration },
      });
      await runTurn(opened);
      const requests = opened.of("permission-request").map((event) => event.request);
      expect(requests.map((request) => request.waiting ?? 0)).toEqual([3, 2, 1, 0]);
    },
  );

  test("about a concern comes for each call, whatever was answered before", async () => {
    const concern = { id: "protected:.git", decision: "ask", reason: "git runs it" } as const;
    const opened = session(seeing([writes(".git/x", { concerns: [concern] })]), {
      asked: [
        ["write", { path: "a" }],
        ["write", { path: "b" }],
      ],
      answers: ["session", "once"],
    });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 2, result: ["none", "none"] });
  });

  test("that is denied with a note tells the model", async () => {
    const opened = session(seeing([{}]));
    opened.session.subscribe((event) => {
      if (event.type !== "permission-request") return;
      const { requestId } = event.request;
      opened.session.send({ type: "permission-answer", requestId, answer: "deny", note: " use edit_file " });
    });
    await runTurn(opened);
    expect(opened.of("permission-answer")).toMatchObject([
      { answer: "deny", by: "person", note: " use edit_file " },
    ]);
    expect(opened.results()[0]?.result.error_message).toMatch(
      /^the person denied this call and says: use edit_file\nDo what the person says/,
    );
  });

  test("shows known secrets in previews and progress masked, and the arguments whole", async () => {
    const tool = seeing([{}], {
      preview: async () => "+s3cret",
      execute: async (_args, { report }) => {
        report("at s3cret");
        return { ok: false, errorType: "io_error", message: "no s3cret" };
      },
    });
    const opened = session(tool, {
      asked: [["write", { path: "s3cret" }]],
      answers: ["once"],
      mask: (text) => text.replaceAll("s3cret", "[key]"),
    });
    await runTurn(opened);
    expect(opened.of("permission-request")[0]?.request).toMatchObject({
      preview: "+[key]",
      previewMasked: true,
      arguments: { path: "s3cret" },
    });
    expect(opened.of("tool-progress").map((event) => event.text)).toEqual(["at [key]"]);
    expect(opened.results()[0]?.result.error_message).toBe("no [key]");
  });
});

describe("an answer", () => {
  test("for another session, or for a request of before, releases nothing", async () => {
    const [one, other] = [session(seeing([{}])), session(seeing([{}]))];
    const turns = [one.session.prompt("go"), other.session.prompt("go")];
    const requests = [await one.next("permission-request"), await other.next("permission-request")];
    const [mine, theirs] = requests.map((event) => event.request.requestId);
    const say = (to: typeof one, requestId = "", answer: PermissionAnswer = "once") =>
      to.session.send({ type: "permission-answer", requestId, answer });
    say(one, theirs);
    say(one, theirs?.replace(other.session.id, one.session.id));
    say(other, mine);
    expect([...one.of("permission-answer"), ...other.of("permission-answer")]).toEqual([]);
    say(one, mine, "deny");
    say(other, theirs, "deny");
    await Promise.all(turns);
    for (const opened of [one, other]) {
      expectSound(opened);
      expect(outcome(opened)).toEqual({ prompts: 1, result: ["permission_denied"] });
    }
    say(one, mine);
    expect(one.of("tool-start")).toEqual([]);
  });
});

describe("a folder that is not trusted", () => {
  test.each<readonly [SessionOptions["mode"] & string, readonly PermissionAnswer[]]>([
    ["default", ["once"]],
    ["bypass", []],
    ["accept-edits", []],
  ])("has only tools that read, in mode %s", async (mode, answers) => {
    const rules = [{ id: "r", decision: "allow", justification: "j" } as const];
    const opened = session(seeing([{ readOnly: true, risk: "safe" }], { editsFiles: true }), {
      asked: [["look"], ["write"]],
      trusted: false,
      mode,
      answers,
      policyStore: memoryPolicyStore(rules.slice()),
    });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 0, result: ["none", "permission_denied"] });
    expect(opened.results()[1]?.result.error_message).toMatch(
      /^denied by the rule built-in:untrusted: this folder is not trusted/,
    );
  });
});

describe("limits", () => {
  test("of calls a minute end in a result that says so, and the person is not asked", async () => {
    const opened = session(seeing([{}]), {
      asked: [
        ["write", { path: "a" }],
        ["write", { path: "b" }],
      ],
      limits: { callsPerMinute: 1 },
      answers: ["once"],
    });
    await runTurn(opened);
    expect(outcome(opened)).toEqual({ prompts: 1, result: ["none", "permission_denied"] });
    expect(opened.results()[1]?.result.error_message).toMatch(
      /^not run: at most 1 tool call runs in a minute/,
    );
  });

  test("hold for calls side by side", async () => {
    const asked = Array.from({ length: 8 }, (_, index): Asked => ["look", { path: `${index}` }]);
    const opened = session(seeing([{}]), { asked, limits: { callsPerMinute: 3 } });
    await runTurn(opened);
    expect(outcome(opened).result.filter((type) => type === "none")).toHaveLength(3);
  });

  test("of bytes count what a call writes, and begin anew with the next turn", async () => {
    const opened = openSession({
      steps: [
        call(["write", { path: "a" }]),
        call(["write", { path: "b" }]),
        say("ok"),
        call(["write"]),
        say("ok"),
      ],
      tools: [seeing([{ writesBytes: 60 }])],
      limits: { bytesWrittenPerTurn: 100 },
      mode: "bypass",
    });
    await runTurn(opened);
    await runTurn(opened, "again");
    expect(outcome(opened).result).toEqual(["none", "permission_denied", "none"]);
  });
});

test("a tool learns which paths the rules keep from it", async () => {
  const seen: unknown[] = [];
  const look = makeTool({
    execute: async (_args, { denies }) => {
      seen.push(denies?.(".env", "read"), denies?.("src/a", "read"));
      return { ok: true, data: "ok" };
    },
  });
  const rules = [{ id: "r", decision: "deny", justification: "j", path: "**/.env" } as const];
  await runTurn(
    openSession({
      steps: [call(["look"]), say("ok")],
      tools: [look],
      policyStore: memoryPolicyStore(rules.slice()),
    }),
  );
  await runTurn(openSession({ steps: [call(["look"]), say("ok")], tools: [look] }));
  expect(seen).toEqual([true, false, undefined, undefined]);
});
