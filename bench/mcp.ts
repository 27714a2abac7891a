/** Measures a call of an MCP server beside the bare client library, and the start with ten configured servers. */
import type { Benchmark } from "./benchmark.ts";
import { overHttp, overProcess, type Pair } from "./mcp/call-pairs.ts";
import { timeToFirstRequest } from "./mcp/first-request.ts";
import { figureOf, goalLine, showFigure, showRatio, table } from "./measure/figures.ts";

const callsOfRound = 300;
const rounds = 5;

export const benchmark: Benchmark = {
  question:
    "What does a call of an MCP server cost beside the bare client, and what do ten servers cost at the start?",
  async run({ print, note, runs = 5 }) {
    const rows: string[][] = [];
    const goals: string[] = [];
    for (const [name, open] of [
      ["stdio", overProcess],
      ["HTTP", overHttp],
    ] as const) {
      note(`calls over ${name}`);
      await using pair = await open();
      const { ours, bare } = await measureCalls(pair);
      const [left, right] = [figureOf(ours), figureOf(bare)];
      rows.push([name, showFigure(left, 3), showFigure(right, 3), showRatio(left, right)]);
      const ratio = (left?.median ?? Number.NaN) / (right?.median ?? Number.NaN);
      goals.push(
        goalLine(`a call over ${name} at most 1.2x of the bare client`, `${ratio.toFixed(2)}x`, ratio <= 1.2),
      );
    }
    print(table(["call, ms", "Local Harness", "bare client", "ratio"], rows));
    note("start with servers");
    const starts = [];
    for (const servers of [0, 1, 10]) {
      const times: { readonly fresh: number; readonly known: number }[] = [];
      for (let run = 0; run <= runs; run += 1) {
        const ms = await timeToFirstRequest(servers);
        // The first run fills the caches.
        if (run > 0) times.push(ms);
      }
      const [fresh, known] = (["fresh", "known"] as const).map((which) =>
        figureOf(times.map((time) => time[which])),
      );
      starts.push([`${servers} servers`, showFigure(fresh), showFigure(known)]);
    }
    print("");
    print(table(["start to first request, ms", "first run with the servers", "later run"], starts));
    print("");
    for (const goal of goals) print(goal);
  },
};

/**
 * Returns the milliseconds of one call in each round but the first, which warms up. In each round our calls come first, then
 * those of the bare client.
 */
async function measureCalls({ ours, bare }: Pair) {
  const times: { readonly ours: number[]; readonly bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, call] of [
      ["ours", ours],
      ["bare", bare],
    ] as const) {
      const from = performance.now();
      for (let count = 0; count < callsOfRound; count += 1) await call();
      if (round > 0) times[name].push((performance.now() - from) / callsOfRound);
    }
  }
  return times;
}
