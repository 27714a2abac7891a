import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { createCallIds } from "../../src/call-ids.ts";
import { createOpenaiChat } from "../../src/index.ts";
import { createCallAssembly } from "../../src/openai/call-assembly.ts";
import { startFakeServer, type ToolDeltaShape } from "../fake-server/index.ts";
import { collect, emptyRequest } from "../model-contract.ts";
import { createTestHttp } from "../test-request.ts";

const shapes: readonly ToolDeltaShape[] = [
  "plain",
  "whole",
  "late-name",
  "no-index",
  "same-index",
  "sparse-index",
  "object-arguments",
  "no-id",
  "repeated-header",
  "empty-strings",
  "interleaved",
];

const wanted = [
  { name: "read_file", arguments: { path: "a.txt" } },
  { name: "read_file", arguments: { path: "a long name with an ü.txt" } },
  { name: "ls", arguments: {} },
];

describe("createCallAssembly", () => {
  it.each(shapes)("finds the same calls in deltas of shape %s", async (toolDeltas) => {
    await using server = await startFakeServer({ turns: [{ calls: wanted, toolDeltas, deltaChars: 3 }] });
    const model = createOpenaiChat({
      provider: "custom",
      title: "Test",
      model: "fake-model",
      http: createTestHttp(),
      baseUrl: server.baseUrl,
    });
    const events = await collect(model, emptyRequest);
    const ends = events.filter((event) => event.type === "tool-call-end");
    const read = ends.map(({ name, arguments: args }) => ({
      name,
      arguments: typeof args === "string" ? JSON.parse(args) : args,
    }));
    expect(read).toEqual(wanted);
    expect(new Set(ends.map((event) => event.id)).size).toBe(3);
    expect(ends.map((event) => event.index)).toEqual([0, 1, 2]);
  });

  it("joins 1 MB of arguments in small pieces in linear time", () => {
    const time = (chars: number) => {
      const assembly = createCallAssembly(createCallIds([]));
      const out: ModelEvent[] = [];
      const began = performance.now();
      assembly.push({ index: 0, id: "a", function: { name: "write_file", arguments: '{"content":"' } }, out);
      for (let at = 0; at < chars; at += 5)
        assembly.push({ index: 0, function: { arguments: "xxxxx" } }, out);
      assembly.push({ index: 0, function: { arguments: '"}' } }, out);
      const [end] = assembly.finish(false);
      expect(end?.type === "tool-call-end" && String(end.arguments).length).toBe(chars + 14);
      return performance.now() - began;
    };
    time(100_000);
    expect(time(1_000_000)).toBeLessThan(40 * time(100_000) + 200);
  });

  it("stops at arguments that are too long and says so", () => {
    const assembly = createCallAssembly(createCallIds([]));
    assembly.push(
      { index: 0, id: "a", function: { name: "write_file", arguments: "x".repeat(17 * 1024 * 1024) } },
      [],
    );
    expect(assembly.finish(false)).toMatchObject([
      { type: "tool-call-error", reason: "too-long", name: "write_file" },
    ]);
  });
});
