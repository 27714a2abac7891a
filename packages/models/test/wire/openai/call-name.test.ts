/** Names of calls that come in several deltas. */
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createCallIds } from "../../../src/answer/call-ids.ts";
import { createCallAssembly } from "../../../src/wire/openai/call-assembly.ts";

/** Index, id, name and arguments of one delta. */
type Row = readonly [index: number | undefined, id: string, name: string, args: unknown];

const offered = ["send_mail", "send", "list", "list_all", "ls", "pwd", "read_file"];

function assemble(rows: readonly Row[], tools: readonly string[] = offered) {
  const assembly = createCallAssembly(createCallIds([]), 100, tools);
  const out: ModelEvent[] = [];
  for (const [index, id, name, args] of rows) {
    const key = index === undefined ? {} : { index };
    assembly.push({ ...key, id, function: { name, arguments: args } }, out);
  }
  const events = [...out, ...assembly.finish("whole")];
  const starts = events.flatMap((event) => (event.type === "tool-call-start" ? [event.name] : []));
  const ends = events.flatMap((event) =>
    event.type === "tool-call-end" ? [[event.name, event.arguments]] : [],
  );
  expect(starts).toEqual(ends.map(([name]) => name));
  expect(events.findLastIndex((event) => event.type === "tool-call-start")).toBeLessThan(
    events.findIndex((event) => event.type === "tool-call-end"),
  );
  return ends;
}

const a = '{"to":"a"}';

describe("one call", () => {
  test.each<[title: string, rows: readonly Row[], call: readonly unknown[]]>([
    [
      "in two pieces",
      [
        [0, "x", "send", ""],
        [0, "x", "_mail", ""],
        [0, "x", "", a],
      ],
      ["send_mail", a],
    ],
    [
      "in three pieces",
      [
        [0, "x", "se", ""],
        [0, "x", "nd_", ""],
        [0, "x", "mail", a],
      ],
      ["send_mail", a],
    ],
    [
      "the id only once",
      [
        [0, "x", "send", ""],
        [0, "", "_mail", ""],
        [0, "", "", a],
      ],
      ["send_mail", a],
    ],
    [
      "no id",
      [
        [0, "", "read", ""],
        [0, "", "_file", ""],
        [0, "", "", a],
      ],
      ["read_file", a],
    ],
    [
      "no id and no index",
      [
        [undefined, "", "read", ""],
        [undefined, "", "_file", a],
      ],
      ["read_file", a],
    ],
    [
      "with what came before",
      [
        [0, "x", "send", ""],
        [0, "x", "send_", ""],
        [0, "x", "send_mail", a],
      ],
      ["send_mail", a],
    ],
    [
      "whole with every delta",
      [
        [0, "x", "send_mail", '{"to"'],
        [0, "x", "send_mail", ':"a"}'],
      ],
      ["send_mail", a],
    ],
    [
      "whole with every delta, without id",
      [
        [0, "", "send_mail", '{"to"'],
        [0, "", "send_mail", ':"a"}'],
      ],
      ["send_mail", a],
    ],
    [
      "a namespace by itself",
      [
        [0, "x", "functions.", ""],
        [0, "x", "ls", ""],
        [0, "x", "", "{}"],
      ],
      ["functions.ls", "{}"],
    ],
    [
      "a longer tool under the same id",
      [
        [0, "x", "list", ""],
        [0, "x", "list_all", "{}"],
      ],
      ["list_all", "{}"],
    ],
    ["no arguments", [[0, "x", "list", ""]], ["list", "{}"]],
    [
      "no tool on offer",
      [
        [0, "x", "fetch", ""],
        [0, "x", "_page", a],
      ],
      ["fetch_page", a],
    ],
    [
      "an empty list before the arguments",
      [
        [0, "x", "ls", "[]"],
        [0, "x", "", a],
      ],
      ["ls", a],
    ],
    [
      "null before the arguments",
      [
        [0, "x", "ls", "null"],
        [0, "x", "", a],
      ],
      ["ls", a],
    ],
  ])("%s", (_title, rows, call) => {
    expect(assemble(rows)).toEqual([call]);
  });
});

describe("two calls", () => {
  test.each<[title: string, rows: readonly Row[], calls: readonly unknown[]]>([
    [
      "under one index, without ids or arguments",
      [
        [0, "", "ls", ""],
        [0, "", "pwd", ""],
      ],
      [
        ["ls", "{}"],
        ["pwd", "{}"],
      ],
    ],
    [
      "of a tool and a longer one, without ids",
      [
        [0, "", "list", ""],
        [0, "", "list_all", ""],
      ],
      [
        ["list", "{}"],
        ["list_all", "{}"],
      ],
    ],
    [
      "under one index, with ids",
      [
        [0, "x", "send", ""],
        [0, "y", "_mail", ""],
      ],
      [
        ["send", "{}"],
        ["_mail", "{}"],
      ],
    ],
    [
      "after the arguments of the first",
      [
        [0, "x", "send", a],
        [0, "x", "_mail", a],
      ],
      [
        ["send", a],
        ["_mail", a],
      ],
    ],
    [
      "without index and id",
      [
        [undefined, "", "ls", "{}"],
        [undefined, "", "pwd", "{}"],
      ],
      [
        ["ls", "{}"],
        ["pwd", "{}"],
      ],
    ],
  ])("%s", (_title, rows, calls) => {
    expect(assemble(rows)).toEqual(calls);
  });
});

test("without known tools, another name is another call", () => {
  expect(
    assemble(
      [
        [0, "x", "send", a],
        [0, "x", "_mail", a],
      ],
      [],
    ),
  ).toEqual([
    ["send", a],
    ["_mail", a],
  ]);
});
