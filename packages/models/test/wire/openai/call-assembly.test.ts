import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { growth } from "../../../../../test/measures.ts";
import { createCallIds } from "../../../src/answer/call-ids.ts";
import type { Ending } from "../../../src/answer/cut-off.ts";
import { createOpenaiChat } from "../../../src/index.ts";
import { createCallAssembly } from "../../../src/wire/openai/call-assembly.ts";
import { startFakeServer, type ToolDeltaShape } from "../../fake-server/index.ts";
import { collect, emptyRequest } from "../../model-contract.ts";
import { createTestHttp } from "../../test-request.ts";

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

  /** Index, id, name and arguments of one delta. */
  type Row = readonly [index: number | undefined, id: string, name: string, args: unknown];
  const assemble = (rows: readonly Row[], ending: Ending = "whole") => {
    const assembly = createCallAssembly(createCallIds([]));
    const out: ModelEvent[] = [];
    for (const [index, id, name, args] of rows)
      assembly.push(
        { ...(index === undefined ? {} : { index }), id, function: { name, arguments: args } },
        out,
      );
    return { out, ends: assembly.finish(ending) };
  };
  const read = (ends: readonly ModelEvent[]) =>
    ends.map((end) => {
      if (end.type === "tool-call-error") return [end.name, end.reason];
      return end.type === "tool-call-end" && [end.name, end.arguments];
    });
  const a = '{"path":"a"}';
  const b = '{"path":"b"}';
  const calls: readonly { title: string; rows: readonly Row[]; calls: readonly unknown[] }[] = [
    {
      title: "an object with nothing behind it",
      rows: [
        [0, "x", "read_file", { path: "a" }],
        [0, "", "", ""],
      ],
      calls: [["read_file", { path: "a" }]],
    },
    {
      title: "an object that is said again under its id",
      rows: [
        [0, "x", "read_file", { path: "a" }],
        [0, "x", "read_file", { path: "a" }],
      ],
      calls: [["read_file", { path: "a" }]],
    },
    {
      title: "a call under an index whose call has another id and is not whole",
      rows: [
        [0, "x", "read_file", '{"pa'],
        [0, "y", "read_file", b],
      ],
      calls: [
        ["read_file", '{"pa'],
        ["read_file", b],
      ],
    },
    {
      title: "two calls under one index, without ids",
      rows: [
        [0, "", "bash", '{"command":"ls"}'],
        [0, "", "bash", '{"command":"pwd"}'],
      ],
      calls: [
        ["bash", '{"command":"ls"}'],
        ["bash", '{"command":"pwd"}'],
      ],
    },
    {
      title: "whole objects after one header, with keys that differ",
      rows: [
        [0, "t1", "glob", ""],
        [0, "", "", '{"pattern":"**/*"}'],
        [0, "", "", '{"path":"src"}'],
        [0, "", "", a],
      ],
      calls: [
        ["glob", '{"pattern":"**/*"}'],
        ["glob", '{"path":"src"}'],
        ["glob", a],
      ],
    },
    {
      title: "whole objects without an index",
      rows: [
        [undefined, "", "ls", a],
        [undefined, "", "", ` ${b}`],
      ],
      calls: [
        ["ls", a],
        ["ls", ` ${b}`],
      ],
    },
    {
      title: "the second in pieces",
      rows: [
        [0, "", "ls", '{"path":'],
        [0, "", "", '"a"}'],
        [0, "", "", '{"pa'],
        [0, "", "", 'th":"b"}'],
      ],
      calls: [
        ["ls", a],
        ["ls", b],
      ],
    },
    {
      title: "objects that are not text",
      rows: [
        [0, "x", "ls", { path: "a" }],
        [0, "", "", { path: "b" }],
        [0, "", "", a],
      ],
      calls: [
        ["ls", { path: "a" }],
        ["ls", { path: "b" }],
        ["ls", a],
      ],
    },
    {
      title: "calls of two tools under one id, without an index",
      rows: [
        [undefined, "x", "read_file", a],
        [undefined, "x", "ls", a],
        [undefined, "x", "", ""],
      ],
      calls: [
        ["read_file", a],
        ["ls", a],
      ],
    },
    {
      title: "calls of two tools under one id and one index",
      rows: [
        [0, "x", "read_file", '{"path":'],
        [0, "x", "", '"a"}'],
        [0, "x", "ls", '{"path":'],
        [0, "x", "", '"b"}'],
      ],
      calls: [
        ["read_file", a],
        ["ls", b],
      ],
    },
    {
      title: "a call that is said again",
      rows: [
        [0, "x", "ls", a],
        [0, "x", "ls", '{ "path": "a" }'],
        [0, "", "", { path: "a" }],
      ],
      calls: [["ls", a]],
    },
    {
      title: "braces inside a string",
      rows: [
        [0, "x", "bash", '{"command":"echo }'],
        [0, "x", "", '{ \\" }'],
        [0, "x", "", '{"}'],
      ],
      calls: [["bash", '{"command":"echo }{ \\" }{"}']],
    },
    {
      title: "an empty object before the arguments in text",
      rows: [
        [0, "x", "ls", {}],
        [0, "", "", '{"path":'],
        [0, "", "", '"a"}'],
      ],
      calls: [["ls", a]],
    },
    {
      title: "an empty object in text before the arguments",
      rows: [
        [0, "x", "ls", "{}"],
        [0, "x", "", a],
      ],
      calls: [["ls", a]],
    },
    {
      title: "none, where it is not certain that they are two",
      rows: [
        [0, "x", "bash", '{"command":"echo "}'],
        [0, "x", "", '{x}"}'],
      ],
      calls: [
        ["bash", "unreadable"],
        ["bash", "unreadable"],
      ],
    },
    {
      title: "neither an object nor the text after it",
      rows: [
        [0, "x", "ls", { path: "a" }],
        [0, "", "", ', "depth": 2}'],
      ],
      calls: [["ls", `${a}, "depth": 2}`]],
    },
    { title: "a list as arguments, as it came", rows: [[0, "x", "ls", ["src"]]], calls: [["ls", '["src"]']] },
    { title: "a number as arguments, as it came", rows: [[0, "x", "ls", 5]], calls: [["ls", "5"]] },
    { title: "null as no arguments", rows: [[0, "x", "ls", null]], calls: [["ls", "{}"]] },
  ];
  it.each(calls)("reads $title", ({ rows, calls: expected }) => {
    const { out, ends } = assemble(rows);
    expect(read(ends)).toEqual(expected);
    const started = out.flatMap((event) => (event.type === "tool-call-start" ? [event.id] : []));
    expect(new Set(started).size).toBe(expected.length);
  });

  it.each(["at-limit", "early"] as const)(
    "runs nothing that was cut off when the answer ended %s",
    (ending) => {
      const { ends } = assemble(
        [
          [0, "x", "ls", ""],
          [1, "y", "ls", '{"path":'],
          [2, "z", "ls", a],
        ],
        ending,
      );
      expect(read(ends)).toEqual([
        ["ls", "incomplete"],
        ["ls", "incomplete"],
        ["ls", a],
      ]);
    },
  );

  it("takes many calls without an index in a time that grows with their number", async () => {
    const take = (count: number) => () => {
      const { ends } = assemble(
        Array.from({ length: count }, (_, i): Row => [undefined, `c${i}`, "ls", "{}"]),
      );
      // Those that are kept, and one event about the others.
      expect(ends.length).toBe(201);
      expect(ends.at(-1)).toMatchObject({ reason: "too-many", calls: count - 200 });
    };
    expect(await growth(take(5_000), take(40_000), 24)).toBeLessThan(24);
  });

  it("joins 1 MB of arguments in small pieces in linear time", async () => {
    const join = (chars: number) => () => {
      const assembly = createCallAssembly(createCallIds([]));
      const out: ModelEvent[] = [];
      assembly.push({ index: 0, id: "a", function: { name: "write_file", arguments: '{"content":"' } }, out);
      for (let at = 0; at < chars; at += 5)
        assembly.push({ index: 0, function: { arguments: "xxxxx" } }, out);
      assembly.push({ index: 0, function: { arguments: '"}' } }, out);
      const [end] = assembly.finish("whole");
      expect(end?.type === "tool-call-end" && String(end.arguments).length).toBe(chars + 14);
    };
    expect(await growth(join(125_000), join(1_000_000), 24)).toBeLessThan(24);
  });

  it("stops at arguments that are too long and says so", () => {
    const assembly = createCallAssembly(createCallIds([]));
    assembly.push(
      { index: 0, id: "a", function: { name: "write_file", arguments: "x".repeat(17 * 1024 * 1024) } },
      [],
    );
    expect(assembly.finish("whole")).toMatchObject([
      { type: "tool-call-error", reason: "too-long", name: "write_file" },
    ]);
  });
});
