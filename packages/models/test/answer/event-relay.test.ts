import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { relay } from "../../src/answer/event-relay.ts";

const text = (value: string): ModelEvent => ({ type: "text-delta", text: value });

/** A source that records whether it was closed. */
function source<Item>(items: readonly Item[]) {
  const state = { closed: false };
  async function* read(): AsyncGenerator<Item> {
    try {
      yield* items;
    } finally {
      state.closed = true;
    }
  }
  return { state, stream: read() };
}

async function all(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const found: ModelEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

describe("a relay", () => {
  it("yields every event of every batch in order, without empty batches", async () => {
    const { stream } = source([[], [text("a"), text("b")], [], [text("c")]]);
    expect(await all(relay(stream, (batch) => batch))).toEqual([text("a"), text("b"), text("c")]);
  });

  it("yields another stream instead of the rest, and closes the source", async () => {
    const { stream, state } = source(["a", "refused", "never read"]);
    const other = source([text("x"), text("y")]);
    const events = relay(stream, (word) => (word === "refused" ? { instead: other.stream } : [text(word)]));
    expect(await all(events)).toEqual([text("a"), text("x"), text("y")]);
    expect(state.closed).toBe(true);
  });

  it("closes what it reads when its reader stops early", async () => {
    const first = source([[text("a"), text("b")], [text("c")]]);
    for await (const _ of relay(first.stream, (batch) => batch)) break;
    expect(first.state.closed).toBe(true);
    const second = source([text("x"), text("y")]);
    for await (const _ of relay(source(["go"]).stream, () => ({ instead: second.stream }))) break;
    expect(second.state.closed).toBe(true);
  });

  it("rethrows an error of the source", async () => {
    async function* broken(): AsyncGenerator<string> {
      yield "a";
      throw new Error("gone");
    }
    await expect(all(relay(broken(), (word) => [text(word)]))).rejects.toThrow("gone");
  });
});
