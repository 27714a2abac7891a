/** What the program costs in counts: requests and bytes, which no clock decides. */
import { expect, test } from "vitest";
import { countOverhead } from "../bench/counts.ts";
import { program } from "./run-program.ts";

const goals = { minimal: 3000, standard: 7000, all: 12000 } as const;

test.each(["openai", "ollama"] as const)(
  "over the %s wire a turn makes no request beside the conversation, and each prompt begins with the one before",
  async (wire) => {
    const counts = await countOverhead([process.execPath, program()], { wire });
    expect(counts.problems).toEqual([]);
    expect(counts.sideRequests).toEqual([]);
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
