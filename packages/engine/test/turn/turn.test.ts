/**
 * Whole sessions with random answers, tools, permissions, messages and interrupts keep the rules that hold for every
 * session.
 */
import type { Tool } from "@localharness/engine";
import type { JsonObject, ModelEvent, PermissionAnswer } from "@localharness/protocol";
import { expect, test } from "vitest";
import { aborted, done, makeTool } from "../make-tool.ts";
import { expectSound, openSession } from "../open-session.ts";
import { type Asked, call, callEvents, type Step, say } from "../scripted-model.ts";

type Pick = <T>(from: readonly [T, ...T[]]) => T;

/** The same choices for the same seed. */
function choices(seed: number): Pick {
  let state = seed;
  return (from) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] ?? from[0];
  };
}

interface Seen {
  readonly ran: Set<string>;
  crowded: boolean;
}

/** Tools of every temper. They write down which calls they ran, and whether one ran beside a change. */
function tempers(pick: Pick, seen: Seen): readonly Tool[] {
  let reading = 0;
  let changing = 0;
  const guarded = (tool: Tool): Tool => ({
    ...tool,
    execute: async (args, context) => {
      seen.ran.add(context.callId);
      if (tool.readOnly) reading += 1;
      else changing += 1;
      // Not an assertion here: what a tool throws is its result.
      if (changing > 1 || (changing === 1 && reading > 0) || reading > 8) seen.crowded = true;
      try {
        return await tool.execute(args, context);
      } finally {
        if (tool.readOnly) reading -= 1;
        else changing -= 1;
      }
    },
  });
  const fails: Tool["execute"] = () => Promise.reject(new Error("boom"));
  const hangs: Tool["execute"] = async (_args, { signal, report }) => {
    report("at work");
    await aborted(signal);
    throw new Error("aborted");
  };
  return [
    makeTool({ name: "look" }),
    makeTool({ name: "mark", fingerprint: async () => pick(["1", "2"]) }),
    makeTool({ name: "time", polls: true, risk: "low" }),
    makeTool({ name: "write", readOnly: false, editsFiles: true, risk: "high" }),
    makeTool({ name: "fails", execute: fails }),
    makeTool({ name: "late", timeoutMs: 1, execute: hangs }),
    makeTool({ name: "hangs", readOnly: false, execute: hangs }),
    makeTool({
      name: "slow",
      execute: async () => new Promise((resolve) => setTimeout(resolve, 1, done("slow"))),
    }),
  ].map(guarded);
}

function randomCalls(pick: Pick): Asked[] {
  const names = [
    "look",
    "look",
    "mark",
    "time",
    "write",
    "write",
    "fails",
    "late",
    "hangs",
    "slow",
    "nothing",
  ] as const;
  return Array.from({ length: pick([1, 2, 3, 5, 12, 18]) }, () => {
    const path = pick(["a", "b"]);
    return [
      pick(names),
      pick<string | JsonObject>([{ path }, JSON.stringify({ path }), "{broken", ""]),
      pick(["", "0", "1"]),
    ] as const;
  });
}

function randomStep(pick: Pick): Step {
  const error: ModelEvent = { type: "model-error", code: "server-error", message: "500", retryable: true };
  const some = callEvents(randomCalls(pick)[0] ?? ["look"]);
  return pick<() => Step>([
    () => call(...randomCalls(pick)),
    () => call(...randomCalls(pick)),
    () => [{ type: "text-delta", text: "so " }, ...call(...randomCalls(pick))],
    () => say("That is all."),
    () => say("Let me look at it."),
    () => say(""),
    () => [{ type: "text-delta", text: "half" }, ...some, error],
    () => [...some, ...some.slice(0, 1), { type: "model-end", stopReason: "length" }],
    () => [
      { type: "tool-call-error", index: 0, raw: "<tool>", reason: "cut", message: "cut" },
      { type: "model-end", stopReason: "stop" },
    ],
    () =>
      async function* () {
        yield* some;
        throw new Error("socket hang up");
      },
    () =>
      async function* () {
        yield* some;
        await new Promise(() => undefined);
      },
  ])();
}

async function liveOnce(seed: number): Promise<void> {
  const pick = choices(seed);
  const seen: Seen = { ran: new Set(), crowded: false };
  const opened = openSession({
    steps: Array.from({ length: 12 }, () => randomStep(pick)),
    tools: tempers(pick, seen),
    interactive: pick([true, true, false]),
    limits: { iterationsPerTurn: pick([1, 3, 10]), callsPerIteration: pick([2, 15]) },
  });
  const { session } = opened;
  session.subscribe((event) => {
    if (event.type === "permission-request" && pick([true, true, false])) {
      const answer = pick<PermissionAnswer>(["once", "session", "remember", "deny"]);
      session.send({ type: "permission-answer", requestId: event.request.requestId, answer });
    }
    const whim = pick([
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "interrupt",
      "message",
      "mode",
    ]);
    if (whim === "interrupt") session.send({ type: "interrupt" });
    if (whim === "message" && opened.events.length < 200) {
      session.send({ type: "user-message", content: "and now?" });
    }
    if (whim === "mode") {
      session.send({ type: "set-mode", mode: pick(["default", "plan", "accept-edits", "bypass"]) });
    }
  });
  // Whatever waits for a person or for ever is ended by one.
  const impatience = setInterval(() => session.send({ type: "interrupt" }), 15);
  try {
    for (const message of ["one", "two"]) {
      session.send({ type: "user-message", content: message });
      await session.idle();
    }
    if (pick([true, false])) session.send({ type: "user-message", content: "three" });
    await session.close();
  } finally {
    clearInterval(impatience);
  }
  expectSound(opened);
  expect(session.view().executor).toBe("idle");
  expect(seen.crowded).toBe(false);
  const refused = opened
    .of("tool-result")
    .filter((event) => /^(not run|denied|nobody|the person denied)/.test(event.result.error_message ?? ""));
  expect(refused.filter((event) => seen.ran.has(event.callId))).toEqual([]);
  expect(opened.notices().filter((code) => ["internal-error", "listener-failed"].includes(code))).toEqual([]);
  expect(opened.of("turn-end").filter((event) => event.code === "internal-error")).toEqual([]);
}

test("150 random sessions: one result a call in order, no gaps, the view is the fold, requests only grow, what was refused never ran", async () => {
  for (let from = 1; from <= 150; from += 25) {
    await Promise.all(Array.from({ length: 25 }, (_, index) => liveOnce(from + index)));
  }
});
