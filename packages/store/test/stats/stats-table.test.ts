import { expect, test } from "vitest";
import { noCounts } from "../../src/stats/ladder-counts.ts";
import { statsTable } from "../../src/stats/stats-table.ts";

test("models with most calls come first", () => {
  const few = { provider: "xai", model: "grok", counts: { ...noCounts, native: 1 } };
  const many = {
    provider: "ollama",
    model: "qwen3:8b",
    counts: { ...noCounts, fromText: 12, coerced: 3, deadEnds: 1 },
  };
  expect(statsTable([few, many]).slice(0, 3)).toEqual([
    "model                calls     native   repaired  from text      typed  corrected  dead ends",
    "ollama/qwen3:8b         12          0          0         12          3          0          1",
    "xai/grok                 1          1          0          0          0          0          0",
  ]);
});

test("nothing counted is said", () => {
  expect(statsTable([])).toEqual(["No tool calls have been counted yet."]);
});
