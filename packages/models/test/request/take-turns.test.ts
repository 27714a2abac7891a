import type { Model } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { askBeside, createModelQueue, takeTurns } from "../../src/request/take-turns.ts";

/** A model that records its calls and answers when the test releases it. */
function heldModel() {
  const asked: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const model: Model = {
    name: "m",
    provider: "p",
    async *stream({ messages }) {
      const name = String(messages[0]?.content);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      asked.push(name);
      await gate.promise;
      yield { type: "model-end", stopReason: "stop" };
    },
  };
  return { model, asked, letGo: (name: string) => gates.get(name)?.resolve() };
}

async function ask(model: Model, name: string, signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const request = { messages: [{ role: "user", content: name, from: "person" } as const], tools: [] };
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test.each([1, 2])(
  "with %i places as many calls run at once, the others in the order in which they came",
  async (places) => {
    const { model, asked, letGo } = heldModel();
    const queued = takeTurns(model, createModelQueue(places));
    const all = ["a", "b", "c", "d"].map((name) => ask(queued, name));
    for (const [done, name] of ["a", "b", "c", "d"].entries()) {
      await settled();
      expect(asked).toEqual(["a", "b", "c", "d"].slice(0, done + places));
      letGo(name);
      await all[done];
    }
  },
);

test("a call that is aborted while it waits gives its place in the line up, one that runs gives its place back", async () => {
  const { model, asked, letGo } = heldModel();
  const queued = takeTurns(model, createModelQueue(1));
  const [first, second] = [new AbortController(), new AbortController()];
  void ask(queued, "a", first.signal);
  const waiting = ask(queued, "b", second.signal);
  const last = ask(queued, "c");
  await settled();
  second.abort();
  expect(await waiting).toEqual([expect.objectContaining({ type: "model-error", code: "aborted" })]);
  expect(asked).toEqual(["a"]);
  // The model hangs, but its place is free.
  first.abort();
  await settled();
  expect(asked).toEqual(["a", "c"]);
  letGo("c");
  expect(await last).toHaveLength(1);
});

test("a request of a turn goes before requests beside it that wait longer", async () => {
  const { model, asked, letGo } = heldModel();
  const queued = takeTurns(model, createModelQueue(1));
  const agent = askBeside(queued);
  const all = [ask(queued, "first"), ask(agent, "agent 1"), ask(agent, "agent 2"), ask(queued, "turn")];
  for (const name of ["first", "turn", "agent 1", "agent 2"]) {
    await settled();
    expect(asked.at(-1)).toBe(name);
    letGo(name);
    await settled();
  }
  await Promise.all(all);
});
