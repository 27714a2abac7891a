/** Checks single cases of the fuzzer, and minimizes the texts of those that fail, except of slow ones. */
import { detect } from "@localharness/detect";
import { type FuzzCase, fuzzCase } from "../../packages/detect/test/fuzz/fuzz-case.ts";
import { minimize } from "../../packages/detect/test/fuzz/minimize.ts";
import {
  findPollution,
  findProblem,
  type Problem,
  type ProblemKind,
} from "../../packages/detect/test/fuzz/oracle.ts";
import type { Failure } from "./failure.ts";

export interface Tally {
  runs: number;
  readonly found: { [kind in ProblemKind]: number };
  /** The number of words that each documented reading has left out. */
  readonly allowed: Map<string, number>;
}

export function newTally(): Tally {
  const found = { crash: 0, split: 0, lost: 0, invented: 0, disorder: 0, slow: 0 };
  return { runs: 0, found, allowed: new Map() };
}

/** Milliseconds that every case may take. */
const slowFloor = 60;
/** Milliseconds that each character may take in addition. */
const slowPerCharacter = 0.02;

/**
 * Checks one case and counts it in `tally`. Returns the failure with the smallest text that was found to fail in the same
 * way, for a slow case with the whole text. Returns undefined if the case passes.
 */
export function checkOne(seed: number, index: number, tally = newTally()): Failure | undefined {
  const one = fuzzCase(seed, index);
  const start = process.threadCpuUsage();
  const problem = findProblem(one, (reading) => {
    tally.allowed.set(reading, (tally.allowed.get(reading) ?? 0) + 1);
  });
  const took = milliseconds(process.threadCpuUsage(start));
  tally.runs += 1;
  const found = problem ?? findPollution() ?? (took > slowFloor ? slowness(one) : undefined);
  if (!found) return undefined;
  tally.found[found.kind] += 1;
  const smallest =
    found.kind === "slow" ? one.text : minimize(one.text, (text) => failsLike(one, text, found));
  const detail =
    found.kind === "slow" ? found.detail : (findProblem({ ...one, text: smallest }) ?? found).detail;
  return { seed, index, kind: found.kind, detail, smallest, reading: describe(one) };
}

function failsLike(one: FuzzCase, text: string, found: Problem): boolean {
  return findProblem({ ...one, text })?.kind === found.kind;
}

/** Returns user and system time together in milliseconds. Processor time does not depend on other processes. */
function milliseconds(usage: { readonly user: number; readonly system: number }): number {
  return (usage.user + usage.system) / 1000;
}

/** Returns a problem if even the fastest of four runs is too slow: a single run may compile code or collect garbage. */
function slowness(one: FuzzCase): Problem | undefined {
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 4; count += 1) {
    const start = process.threadCpuUsage();
    detect(one.text, one.options);
    best = Math.min(best, milliseconds(process.threadCpuUsage(start)));
  }
  const limit = slowFloor + slowPerCharacter * one.text.length;
  if (best <= limit) return undefined;
  const detail = `${best.toFixed(0)} ms for ${one.text.length} characters, at most ${limit.toFixed(0)} ms expected`;
  return { kind: "slow", detail };
}

function describe(one: FuzzCase): string {
  const { tools, format = "auto", startsInReasoning } = one.options;
  const names = tools.map((tool) => tool.name).join(", ");
  return `tools: ${names || "none"}; format: ${format}${startsInReasoning ? "; starts in a thought" : ""}`;
}
