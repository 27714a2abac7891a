/** What the program costs in counts: requests and bytes, which no clock decides. */
import { expect, test } from "vitest";
import { countOverhead } from "../bench/counts.ts";
import { program } from "./run-program.ts";

const goals = { minimal: 3000, standard: 7000, all: 12000 } as const;

test.each([
  { wire: "openai", asked: [] },
  { wire: "ollama", asked: ["POST /api/show"] },
] as const)(
  "over the $wire wire ten turns make no request beside the conversation but $asked, once, and each prompt begins with the one before",
  async ({ wire, asked }) => {
    const counts = await countOverhead([process.execPath, program()], { wire });
    expect(counts.problems).toEqual([]);
    expect(counts.sideRequests.map((request) => request.split("?", 1)[0])).toEqual(asked);
    expect(counts.prefixExact).toBe(true);
  },
);

test.each(["minimal", "standard", "all"] as const)(
  "prompt and schemas of the set %s stay small",
  async (tools) => {
    const counts = await countOverhead([process.execPath, program()], { tools, turns: 1 });
    expect(counts.problems).toEqual([]);
    expect(counts.systemBytes + counts.toolsBytes).toBeLessThan(goals[tools]);
  },
);

test.each(["openai", "ollama"] as const)(
  "over the %s wire what a template makes of a request begins what it makes of the next",
  async (wire) => {
    const counts = await countOverhead([process.execPath, program()], { wire, template: "takes-all" });
    expect(counts.problems).toEqual([]);
    expect(counts.refused).toEqual([]);
    expect(counts.renderedKept).toBe(1);
  },
);
