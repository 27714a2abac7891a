/** Checks the overhead of the program in requests and bytes, which do not depend on time. */
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
  "over the %s API the prompt of each request begins with the prompt of the one before",
  async (wire) => {
    const counts = await countOverhead([process.execPath, program()], { wire, template: "takes-all" });
    expect(counts.problems).toEqual([]);
    expect(counts.refused).toEqual([]);
    expect(counts.renderedKept).toBe(1);
  },
);
