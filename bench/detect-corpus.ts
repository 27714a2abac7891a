/**
 * Measures how well recorded replies are read: by our detector, which does not know the format, and by each protocol of
 * a peer.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Case, readCases } from "../scripts/corpus/case.ts";
import type { Benchmark, BenchOptions } from "./benchmark.ts";
import { describePeer, hasPeer, loadParser, parserPackage, protocolNames } from "./detect/peers.ts";
import { readAllByProtocol, readByUs, type Verdict } from "./detect/score-corpus.ts";
import type { CallFormat } from "./detect/texts.ts";
import { goalLine, table } from "./measure/figures.ts";

interface Reading {
  readonly name: string;
  readonly verdicts: readonly Verdict[];
}

interface Count {
  readonly calls: number;
  readonly repair: number;
  readonly invented: number;
}

async function run({ print, note, peers }: BenchOptions): Promise<void> {
  const folder = process.env["LOCALHARNESS_CORPUS"] ?? resolve(import.meta.dirname, "../../shared/corpus");
  const file = join(folder, "toolcalls.jsonl");
  if (!existsSync(file)) {
    print(`not measured: there is no file ${file}. Set LOCALHARNESS_CORPUS to the folder of the cases.`);
    return;
  }
  const cases = (await readCases(file)).filter((one) => one.kind !== "open");
  const readings: Reading[] = [{ name: "ours (auto)", verdicts: cases.map(readByUs) }];
  if (peers !== undefined && hasPeer(peers, parserPackage)) {
    const module = await loadParser(peers);
    for (const format of Object.keys(protocolNames) as CallFormat[]) {
      note(`${parserPackage}: ${protocolNames[format]}`);
      readings.push({ name: format, verdicts: await readAllByProtocol(module, format, cases) });
    }
  }
  print(`peers: ${describePeer(peers, parserPackage)}; its columns are named by the format of the protocol`);
  print(
    "Each cell: exact calls, exact repairs, invented calls. The rows column: cases with calls, with repairs, without a call.\n",
  );
  const families = [...new Set(cases.map((one) => one.family))].sort();
  const rows = families.map((family) => rowOf(family, cases, readings));
  print(
    table(["family", "rows", ...readings.map(({ name }) => name)], [...rows, rowOf("all", cases, readings)]),
  );
  print("");
  for (const line of totals(cases, readings)) print(line);
  printGoals(families, cases, readings, print);
}

function rowOf(family: string, cases: readonly Case[], readings: readonly Reading[]): string[] {
  const of = (kind: Case["kind"]) => cases.filter((one) => one.kind === kind && isOf(one, family)).length;
  return [
    family,
    [of("calls"), of("repair"), of("none")].join("  "),
    ...readings.map((reading) => {
      const { calls, repair, invented } = countOf(reading, cases, family);
      return [calls, repair, invented].join("  ");
    }),
  ];
}

function isOf(one: Case, family: string): boolean {
  return family === "all" || one.family === family;
}

function countOf({ verdicts }: Reading, cases: readonly Case[], family: string): Count {
  const exact = (kind: Case["kind"]) =>
    cases.filter((one, at) => isOf(one, family) && one.kind === kind && verdicts[at] === "exact").length;
  const invented = cases.filter((one, at) => isOf(one, family) && verdicts[at] === "invented").length;
  return { calls: exact("calls"), repair: exact("repair"), invented };
}

function totals(cases: readonly Case[], readings: readonly Reading[]): string[] {
  const of = (kind: Case["kind"]) => cases.filter((one) => one.kind === kind).length;
  const share = (part: number, kind: Case["kind"]) =>
    `${part}/${of(kind)} (${((100 * part) / Math.max(1, of(kind))).toFixed(1)} %)`;
  return readings.map((reading) => {
    const { calls, repair, invented } = countOf(reading, cases, "all");
    return `${reading.name.padEnd(12)} calls ${share(calls, "calls")}, repairs ${share(repair, "repair")}, invented ${share(invented, "none")}`;
  });
}

function printGoals(
  families: readonly string[],
  cases: readonly Case[],
  [ours, ...others]: readonly Reading[],
  print: (line: string) => void,
): void {
  if (ours === undefined) return;
  const all = countOf(ours, cases, "all");
  const of = (kind: Case["kind"]) => cases.filter((one) => one.kind === kind).length;
  const percent = (part: number, kind: Case["kind"]) => (100 * part) / Math.max(1, of(kind));
  const calls = percent(all.calls, "calls");
  const repair = percent(all.repair, "repair");
  print("");
  print(goalLine("calls exact: 98 %", `${calls.toFixed(1)} %`, calls >= 98));
  print(goalLine("repairs exact: 90 %", `${repair.toFixed(1)} %`, repair >= 90));
  print(goalLine("nothing invented", String(all.invented), all.invented === 0));
  const scored = (reading: Reading, family: string) => {
    const count = countOf(reading, cases, family);
    return count.calls + count.repair;
  };
  const behind = families.filter((family) =>
    others.some((other) => scored(other, family) > scored(ours, family)),
  );
  const shown = others.length === 0 ? undefined : behind.length === 0;
  print(
    goalLine(
      "no protocol reads more of any family",
      behind.length === 0 ? "none does" : behind.join(", "),
      shown,
    ),
  );
}

export const benchmark: Benchmark = {
  question: "How well are recorded replies read, family by family?",
  run,
};
