/** Calls that occur twice in one answer. */
import { createRegistry, systemClock } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { findDuplicates } from "../../src/calls/find-duplicates.ts";
import { prepareCall } from "../../src/calls/prepare-call.ts";
import { makeTool } from "../make-tool.ts";

const registry = createRegistry([
  makeTool({ name: "read", aliases: ["view"] }),
  makeTool({ name: "write", readOnly: false }),
  makeTool({ name: "time", polls: true }),
]);
const around = { registry, clock: systemClock, mode: "default", workspace: "/w" } as const;

describe("duplicates", () => {
  test.each<readonly [string, readonly (readonly [string, JsonObject?])[], readonly string[]]>([
    [
      "none in different calls",
      [
        ["read", { path: "a" }],
        ["read", { path: "b" }],
        ["write", { path: "a" }],
      ],
      [],
    ],
    [
      "the second of two reads",
      [
        ["read", { path: "a" }],
        ["read", { path: "b" }],
        ["read", { path: "a" }],
      ],
      ["2"],
    ],
    ["every one after the first", [["read"], ["read"], ["read"]], ["1", "2"]],
    [
      "under another name of the tool",
      [
        ["read", { path: "a" }],
        ["view", { path: "a" }],
      ],
      ["1"],
    ],
    [
      "a change that is asked for twice",
      [
        ["write", { path: "a" }],
        ["write", { path: "a" }],
      ],
      ["1"],
    ],
    ["a change that is asked for twice, reads between", [["write"], ["read"], ["write"]], ["2"]],
    [
      "no read after a change",
      [
        ["read", { path: "a" }],
        ["write", { path: "a" }],
        ["read", { path: "a" }],
      ],
      [],
    ],
    [
      "no change after another change",
      [
        ["write", { path: "a" }],
        ["write", { path: "b" }],
        ["write", { path: "a" }],
      ],
      [],
    ],
    ["no call that polls", [["time"], ["time"]], []],
    ["no call that cannot run", [["nothing"], ["nothing"]], []],
  ])("are %s", (_title, calls, duplicates) => {
    const prepared = calls.map(([name, args = {}], index) =>
      prepareCall({ id: `${index}`, name, arguments: args }, around),
    );
    expect([...findDuplicates(prepared).keys()]).toEqual(duplicates);
    for (const [later, first] of findDuplicates(prepared)) {
      expect(Number(first)).toBeLessThan(Number(later));
      expect(prepared[Number(first)]).toMatchObject({
        key: (prepared[Number(later)] as { key?: string }).key,
      });
    }
  });
});
