/** A session: its events and listeners, commands at unusual moments, its end. */
import { createRegistry, createSession, type HarnessError, type TranscriptStore } from "@localharness/engine";
import { applyEvent, emptyView, type PermissionMode, type SessionEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { aborted, done, makeTool } from "../make-tool.ts";
import { expectSound, type Opened, openSession, runTurn } from "../open-session.ts";
import { call, say, scriptedModel } from "../scripted-model.ts";

const hang = makeTool({
  execute: async (_args, { signal }) => {
    await aborted(signal);
    throw new Error("aborted");
  },
});

describe("events", () => {
  test("are numbered without gaps, over turns and between them", async () => {
    const opened = openSession({ steps: [call(["look"]), say("ok"), say("ok")] });
    await runTurn(opened);
    opened.session.send({ type: "set-mode", mode: "plan" });
    await runTurn(opened);
    expect(opened.of("mode-changed")).toMatchObject([{ turnId: "" }]);
    expect(opened.of("turn-end").map((event) => event.turnId)).toEqual(["turn-1", "turn-2"]);
    expect(new Set(opened.events.map((event) => event.sessionId))).toEqual(new Set([opened.session.id]));
  });

  test("begin with one session-start that says what runs", async () => {
    const opened = openSession({ steps: [say("ok"), say("ok")], sessionId: "s1", mode: "plan" });
    await runTurn(opened);
    await runTurn(opened);
    expect(opened.of("session-start")).toEqual([
      {
        sessionId: "s1",
        turnId: "",
        seq: 1,
        type: "session-start",
        model: "scripted",
        provider: "test",
        workspace: "/workspace",
        mode: "plan",
        tools: ["look"],
        systemPrompt: "You are a test.",
      },
    ]);
  });

  test("reach the store and every listener in the same order", async () => {
    const stored: SessionEvent[] = [];
    const opened = openSession({
      steps: [call(["look"]), say("ok")],
      store: { append: (event) => stored.push(event) },
    });
    await runTurn(opened);
    expect(stored).toEqual(opened.events);
  });

  test("of a beginning are all kept before any of them is heard", async () => {
    const stored: string[] = [];
    const opened = openSession({
      steps: [say("ok"), say("ok")],
      systemPrompt: async () => ({ text: "You are a test.", warnings: ["AGENTS.md was cut"] }),
      news: () => new Promise((resolve) => setTimeout(() => resolve(["files were put back"]), 20)),
      store: { append: ({ type }) => void stored.push(type) },
    });
    const storedAt = new Map<number, readonly string[]>();
    opened.session.subscribe(({ seq }) => void storedAt.set(seq, [...stored]));
    await runTurn(opened);
    const first = ["session-start", "notice", "turn-start", "user-message", "user-message"];
    expect(storedAt.get(1)).toEqual(first);
    expect(storedAt.get(5)).toEqual(first);
    const before = stored.length;
    await runTurn(opened);
    expect(storedAt.get(before + 1)?.slice(before)).toEqual(["turn-start", "user-message", "user-message"]);
  });

  test("of a turn whose news cannot be had are those of any other", async () => {
    const opened = openSession({
      steps: [say("ok")],
      news: () => Promise.reject(new Error("the disk is gone")),
    });
    expect(await runTurn(opened)).toMatchObject({ reason: "done" });
    expect(opened.of("user-message")).toMatchObject([{ from: "person" }]);
  });

  test("that a listener causes reach all listeners after the one that caused them", async () => {
    const opened = openSession({ steps: [say("ok")] });
    const heard: SessionEvent[] = [];
    let changed = false;
    opened.session.subscribe((event) => {
      if (event.type === "turn-start" && !changed) {
        changed = true;
        opened.session.send({ type: "set-mode", mode: "plan" });
      }
    });
    opened.session.subscribe((event) => heard.push(event));
    await runTurn(opened);
    expect(heard).toEqual(opened.events);
    expect(heard.reduce(applyEvent, emptyView)).toEqual(opened.session.view());
  });

  test("stop for a listener that has unsubscribed, and only for it", async () => {
    const opened = openSession({ steps: [say("ok"), say("ok")] });
    const heard: string[] = [];
    const listener = (event: SessionEvent) => void heard.push(event.type);
    const stop = opened.session.subscribe(listener);
    opened.session.subscribe(listener);
    stop();
    stop();
    await runTurn(opened);
    expect(heard).toEqual(opened.events.map((event) => event.type));
  });

  test.each<
    readonly [
      string,
      (fail: () => never) => Partial<Parameters<typeof openSession>[0]> & { listener?: () => never },
    ]
  >([
    ["a listener", (fail) => ({ listener: fail })],
    ["the store of the session", (fail) => ({ store: { append: fail } satisfies TranscriptStore })],
  ])("%s that throws gets them all, the person is told once, the session goes on", async (name, make) => {
    let times = 0;
    const { listener, ...options } = make(() => {
      times += 1;
      throw new Error("no room");
    });
    const opened = openSession({ steps: [call(["look"]), say("ok"), say("ok")], ...options });
    if (listener !== undefined) opened.session.subscribe(listener);
    await runTurn(opened);
    await runTurn(opened);
    expect(opened.of("notice")).toMatchObject([
      { code: "listener-failed", message: `${name} failed on an event: no room` },
    ]);
    expect(times).toBe(opened.events.length);
  });
});

describe("commands at odd moments", () => {
  test("a second prompt while a turn runs is refused, the first goes on", async () => {
    const opened = openSession({ steps: [say("ok")] });
    const first = opened.session.prompt("one");
    await expect(opened.session.prompt("two")).rejects.toMatchObject({
      code: "session-busy",
    } satisfies Partial<HarnessError>);
    expect((await first).reason).toBe("done");
    expectSound(opened);
    expect(opened.of("user-message").map((event) => event.content)).toEqual(["one"]);
  });

  test("a prompt right after the end of a turn begins the next", async () => {
    const opened = openSession({ steps: [say("ok"), say("ok")] });
    await opened.session.prompt("one");
    expect((await opened.session.prompt("two")).reason).toBe("done");
    expectSound(opened);
  });

  test("a user message to an idle session starts a turn; while it starts, another is taken in", async () => {
    const opened = openSession({ steps: [say("ok")] });
    opened.session.send({ type: "user-message", content: "one" });
    opened.session.send({ type: "user-message", content: "two" });
    await opened.session.idle();
    expectSound(opened);
    expect(opened.model.requests).toHaveLength(1);
    expect(opened.model.requests[0]?.messages.slice(1)).toMatchObject([
      { content: "one" },
      { content: "two" },
    ]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 8, 12])(
    "a message %i microtasks after the end of a turn is not lost",
    async (ticks) => {
      const opened = openSession({ steps: [say("ok"), say("again")] });
      let sent = false;
      opened.session.subscribe((event) => {
        if (event.type !== "turn-end" || sent) return;
        sent = true;
        void (async () => {
          for (let tick = 0; tick < ticks; tick += 1) await undefined;
          opened.session.send({ type: "user-message", content: "one more" });
        })();
      });
      await opened.session.prompt("go");
      await new Promise((resolve) => setTimeout(resolve, 0));
      await opened.session.idle();
      expectSound(opened);
      expect(opened.model.requests).toHaveLength(2);
    },
  );

  test("what cannot even begin is told, and no rejection is left behind", async () => {
    const registry = createRegistry();
    const session = createSession({
      model: scriptedModel([]),
      registry: {
        ...registry,
        list: () => {
          throw new Error("no registry");
        },
      },
      systemPrompt: "",
      workspace: "/w",
      interactive: false,
    });
    session.send({ type: "user-message", content: "go" });
    await session.idle();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(session.view().notices).toEqual([
      { level: "warning", code: "internal-error", message: "the turn could not begin: no registry" },
    ]);
    await expect(session.prompt("go")).rejects.not.toMatchObject({ code: "session-busy" });
  });

  test("an interrupt, an answer and a mode change do nothing harmful to an idle session", async () => {
    const opened = openSession({ steps: [say("ok")] });
    const odd = () => {
      opened.session.send({ type: "interrupt" });
      opened.session.send({ type: "permission-answer", requestId: "permission-x", answer: "once" });
      opened.session.send({ type: "set-mode", mode: "yolo" as PermissionMode });
      opened.session.send({ type: "unheard-of" } as never);
    };
    odd();
    expect((await runTurn(opened)).reason).toBe("done");
    odd();
    expectSound(opened);
  });

  test("a mode set while the session starts is the one it starts with", async () => {
    const opened = openSession({ steps: [say("ok")] });
    const turn = opened.session.prompt("go");
    opened.session.send({ type: "set-mode", mode: "plan" });
    await turn;
    expectSound(opened);
    expect(opened.events[0]).toMatchObject({ type: "session-start", mode: "plan" });
    expect(opened.of("mode-changed")).toEqual([]);
  });

  test("a mode that is none allows nothing", async () => {
    const opened = openSession({
      steps: [call(["look"]), say("ok")],
      tools: [makeTool({ risk: "high" })],
      interactive: false,
      mode: "yolo" as PermissionMode,
    });
    await runTurn(opened);
    expect(opened.results()[0]?.result.error_type).toBe("permission_denied");
  });

  test("in a folder that is not trusted the model is offered looking tools only", async () => {
    const tools = [
      makeTool({ name: "looks", readOnly: true }),
      makeTool({ name: "writes", readOnly: false }),
    ];
    for (const trusted of [true, false]) {
      const opened = openSession({ steps: [say("ok")], tools, trusted });
      await opened.session.prompt("go");
      const offered = opened.model.requests[0]?.tools?.map(({ name }) => name);
      expect(offered).toEqual(trusted ? ["looks", "writes"] : ["looks"]);
      expect(opened.session.tools().map(({ name }) => name)).toEqual(offered);
    }
  });

  test("an interrupt that drops waiting messages begins no turn with them", async () => {
    const opened = openSession({ steps: [call(["look"])], tools: [hang] });
    const turn = opened.session.prompt("go");
    await opened.next("tool-start");
    opened.session.send({ type: "user-message", content: "do this instead" });
    opened.session.send({ type: "interrupt", dropsWaiting: true });
    await turn;
    await opened.session.idle();
    expectSound(opened);
    expect(opened.of("turn-end").map((event) => event.reason)).toEqual(["interrupted"]);
    expect(opened.of("user-message").map(({ content }) => content)).toEqual(["go"]);
  });

  test("a message typed before an interrupt begins the next turn", async () => {
    const opened = openSession({ steps: [call(["look"]), say("ok")], tools: [hang] });
    const turn = opened.session.prompt("go");
    await opened.next("tool-start");
    opened.session.send({ type: "user-message", content: "do this instead" });
    opened.session.send({ type: "interrupt" });
    await turn;
    expectSound(opened);
    expect(opened.of("turn-end").map((event) => event.reason)).toEqual(["interrupted", "done"]);
    expect(opened.model.requests[1]?.messages.at(-1)).toMatchObject({ content: "do this instead" });
  });
});

describe("closing", () => {
  const phases: readonly (readonly [string, (opened: Opened) => Promise<unknown>])[] = [
    ["while nothing runs", () => Promise.resolve()],
    [
      "as a turn begins",
      (opened) => Promise.resolve(opened.session.send({ type: "user-message", content: "go" })),
    ],
    [
      "while a tool runs",
      (opened) => {
        opened.session.send({ type: "user-message", content: "go" });
        return opened.next("tool-start");
      },
    ],
    [
      "while a prompt is open",
      (opened) => {
        opened.session.send({ type: "user-message", content: "ask" });
        return opened.next("permission-request");
      },
    ],
  ];

  test.each(phases)(
    "%s ends what runs, drops what was typed, and takes nothing more",
    async (title, reach) => {
      const tool = title.includes("prompt") ? makeTool({ risk: "high" }) : hang;
      const opened = openSession({ steps: [call(["look"]), say("never")], tools: [tool] });
      await reach(opened);
      opened.session.send({ type: "user-message", content: "queued" });
      const closing = opened.session.close();
      opened.session.send({ type: "user-message", content: "too late" });
      await closing;
      expectSound(opened);
      expect(opened.model.requests.length).toBeLessThanOrEqual(1);
      expect(opened.results().every((one) => one.result.error_type === "cancelled")).toBe(true);
      await expect(opened.session.prompt("again")).rejects.toMatchObject({ code: "session-closed" });
      await opened.session.close();
      expect(opened.of("turn-start").length).toBeLessThanOrEqual(1);
    },
  );
});

test("20,000 deltas and their calls are folded without copying what came before", async () => {
  const words = Array.from({ length: 20_000 }, (_, index) => `w${index} `);
  const opened = openSession({
    steps: [say(words.join("")), say("ok")],
    tools: [makeTool({ execute: async () => done("") })],
  });
  const text: string[] = [];
  opened.session.subscribe((event) => {
    if (event.type === "text-delta") text.push(event.text);
  });
  await opened.session.prompt("go");
  expect(text).toEqual(words);
  expect(opened.events).toHaveLength(20_000 + 7);
  // Each event carries its delta alone: the whole stream as JSON is linear in the text.
  expect(JSON.stringify(opened.events).length).toBeLessThan(20_000 * 120);
  expect(opened.session.view().messages.at(-1)).toEqual({ role: "assistant", content: words.join("") });
});

test("a turn is held to a schema where no tools are on offer, and to none after it", async () => {
  const opened = openSession({ steps: [say("1"), say("2"), say("3")] });
  const schema = { type: "integer" };
  await opened.session.prompt("with tools", [], { schema });
  await opened.session.prompt("without", [], { schema, withoutTools: true });
  await opened.session.prompt("as ever");
  const [withTools, without, after] = opened.model.requests;
  expect([withTools?.format, withTools?.tools.length]).toEqual([undefined, 1]);
  expect([without?.format, without?.tools.length]).toEqual([schema, 0]);
  expect([after?.format, after?.tools.length]).toEqual([undefined, 1]);
});
