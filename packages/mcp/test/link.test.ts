/** The link to a lent folder: what is said when it cannot be opened. */
import { expect, test } from "vitest";
import { openLinkTo } from "../src/elsewhere/link.ts";
import type { Frames } from "../src/transport/frame-transport.ts";

type Handlers = Parameters<Frames["listen"]>[0];

/** Returns the two ends of a connection, and whether it is still open. */
function connection() {
  const state = { open: true };
  const ends = [0, 1].map(() => Promise.withResolvers<Handlers>());
  const end = (mine: number, theirs: number): Frames => ({
    async send(text) {
      if (!state.open) throw new Error("it has closed");
      void ends[theirs]?.promise.then(({ onText }) => onText(text));
    },
    listen: (handlers) => ends[mine]?.resolve(handlers),
    close(_code, reason) {
      state.open = false;
      void ends[theirs]?.promise.then(({ onClosed }) => onClosed(reason));
    },
    latency: () => undefined,
  });
  return { state, here: end(0, 1), there: end(1, 0) };
}

function openOver(frames: Frames) {
  const parts = { name: "box", version: "0", tell: () => undefined, patienceMs: 0 };
  return openLinkTo({ ...parts, connect: async () => frames });
}

test("the reason is told if the other end speaks no common version", async () => {
  const { here, there, state } = connection();
  there.listen({
    onClosed: () => undefined,
    onText(text) {
      const { id } = JSON.parse(text);
      const error = { code: -32601, message: "Method not found" };
      if (id !== undefined) void there.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
    },
  });
  await expect(openOver(here)).rejects.toThrow(/^Version negotiation failed/);
  expect(state.open).toBe(false);
});

test("the reason of the other end is told if it closes the connection", async () => {
  const { here, there } = connection();
  there.listen({ onClosed: () => undefined, onText: () => there.close(1011, "the disk is full there") });
  await expect(openOver(here)).rejects.toThrow(/^the disk is full there$/);
});
