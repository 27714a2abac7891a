/** Counts what long sessions keep in a small context window. */
import { buildProgram } from "../scripts/corpus/attacks/program.ts";
import type { Benchmark } from "./benchmark.ts";
import { comparePeers } from "./context/compare-peers.ts";
import { runSession, type SessionFigures, type WireName } from "./context/run-session.ts";
import { type SessionScript, scripts } from "./context/scripts.ts";

const windows = [4_096, 8_192, 32_768];
const wires: readonly WireName[] = ["openai", "ollama"];
/** The goal: the smallest share of a prompt's text with which the next prompt begins, except after a compaction. */
const minReused = 0.95;

interface Run {
  readonly script: SessionScript;
  readonly wire: WireName;
  readonly window: number;
}

export const benchmark: Benchmark = {
  question: "What does a long session keep in a small context window?",
  async run({ print, note, peers }) {
    using program = await buildProgram();
    const columns = [
      "session",
      "wire",
      "window",
      "requests, failures, findings",
      "results",
      "silent cuts",
      "refused",
      "compactions",
      "summaries",
    ];
    print([...columns, "tokens sent", "prefix reused", "cached in all", "ended"].join(" | "));
    const all: SessionFigures[] = [];
    const runs = scripts.flatMap((script) =>
      wires.flatMap((wire) => windows.map((window): Run => ({ script, wire, window }))),
    );
    for (const run of runs) {
      const figures = await runSession(program.start, run.script, run.wire, run.window);
      print(rowOf(run, figures));
      for (const problem of figures.problems)
        note(`${run.script.name}, ${run.wire}, ${run.window}: ${problem}`);
      for (const { from, text } of figures.missing) note(`  not in the last prompt: ${text} (${from})`);
      all.push(figures);
    }
    if (peers !== undefined) await comparePeers(program.start, peers, { print, note });
    print(summaryOf(all));
    if (!all.every(meetsGoals)) throw new Error("Some sessions did not meet the goals.");
  },
};

function rowOf({ script, wire, window }: Run, figures: SessionFigures): string {
  const cells = [script.name, wire, window, kept(figures, true), kept(figures, false), figures.silentCuts];
  const { refused, compactions, summaries, tokens, reused, cached, ended } = figures;
  return [
    ...cells,
    refused,
    compactions,
    summaries,
    tokens,
    percent(reused),
    percent(cached),
    ended ? "yes" : "no",
  ].join(" | ");
}

/**
 * Returns "A of B": A of the B needles were found. With `mustStay` it counts the needles that compactions must keep,
 * else the needles in results, which may be read again.
 */
function kept({ found, missing }: SessionFigures, mustStay: boolean): string {
  const count = (needles: SessionFigures["found"]) =>
    needles.filter(({ from }) => (from !== "result") === mustStay).length;
  return `${count(found)} of ${count(found) + count(missing)}`;
}

function meetsGoals({ missing, silentCuts, reused, ended }: SessionFigures): boolean {
  return missing.length === 0 && silentCuts === 0 && reused >= minReused && ended;
}

function summaryOf(all: readonly SessionFigures[]): string {
  const sum = (count: (figures: SessionFigures) => number) =>
    all.reduce((total, figures) => total + count(figures), 0);
  const found = sum(({ found }) => found.length);
  const needles = found + sum(({ missing }) => missing.length);
  const reused = Math.min(...all.map((figures) => figures.reused));
  const ended = all.filter((figures) => figures.ended).length;
  return `context: ${found} of ${needles} needles, ${sum((figures) => figures.silentCuts)} silent cuts, ${percent(reused)} prefix reused, ${ended} of ${all.length} tasks ended`;
}

function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}
