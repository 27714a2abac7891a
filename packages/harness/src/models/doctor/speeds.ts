/** Measures how fast a model reads and writes. */
import { defined } from "@localharness/protocol";
import type { TrialAnswer } from "./ask.ts";
import type { Speeds } from "./findings.ts";

/**
 * Returns the average speeds of the answers. Leaves out answers without a token count, with a single token or without a
 * measurable time. A speed is absent if no answer is left.
 */
export function speedsOf(answers: readonly TrialAnswer[]): Speeds {
  return defined({
    readsPerSecond: rate(answers.map(({ readTokens, firstMs }) => [readTokens, firstMs])),
    writesPerSecond: rate(answers.map(({ outputTokens, restMs }) => [outputTokens, restMs])),
  });
}

function rate(rows: readonly (readonly [tokens: number | undefined, ms: number])[]): number | undefined {
  const known = rows.filter(([tokens, ms]) => tokens !== undefined && tokens > 1 && ms >= 1);
  const ms = known.reduce((sum, row) => sum + row[1], 0);
  const tokens = known.reduce((sum, row) => sum + (row[0] ?? 0), 0);
  return ms === 0 ? undefined : Math.round((tokens * 1_000) / ms);
}
