/** Runs the detector on every recorded tool call, and prints the results family by family. */
import { join } from "node:path";
import { detect } from "@localharness/detect";
import { type Case, optionsOf, readCases } from "./case.ts";
import { offersFor } from "./offers.ts";
import { type Score, score } from "./score.ts";
import { differingSplits } from "./splits.ts";

export interface ToolcallsOptions {
  /** Also list the ids of the cases that are not as expected. */
  readonly failed?: boolean;
  /** Also read every case in pieces and compare. */
  readonly splits?: boolean;
  /** Only this family. */
  readonly family?: string;
}

/** The share of a family's `calls` rows that must be exact; 0.75 for families without an entry. */
const floors: { readonly [family: string]: number } = {
  hermes: 0.95,
  "hermes-json": 0.95,
  qwen25: 0.95,
  "qwen3-hermes-json": 0.95,
  "qwen3vl-hermes-json": 0.95,
  "generic:json": 0.95,
  "generic:qwen": 0.95,
  llama3_json: 0.95,
  xlam: 0.95,
  granite4: 0.95,
};

interface Row {
  readonly one: Case;
  readonly score: Score;
  /** True if a call was found in a text without calls when further tools were on offer. */
  readonly inventedFromOffer: boolean;
  readonly differing: readonly string[];
}

/**
 * Prints the table. Resolves to 0 when every family reaches its floor, no call was invented, and (with `splits`) no case
 * gives other events in pieces, else to 1.
 */
export async function runToolcalls(folder: string, options: ToolcallsOptions = {}): Promise<number> {
  const cases = await readCases(join(folder, "toolcalls.jsonl"));
  const chosen = cases.filter((one) => options.family === undefined || one.family === options.family);
  const offers = offersFor(cases);
  const rows = chosen.map((one) => runCase(one, offers, options.splits === true));
  const families = [...new Set(rows.map((row) => row.one.family))].sort();
  console.log(header());
  for (const family of families)
    console.log(
      line(
        family,
        rows.filter((row) => row.one.family === family),
      ),
    );
  console.log(line("all", rows));
  if (options.failed) printFailed(rows);
  const differing = rows.filter((row) => row.differing.length > 0);
  if (options.splits) printSplits(differing);
  const missed = families.filter((family) => belowFloor(family, rows));
  if (missed.length > 0) console.log(`below the floor: ${missed.join(", ")}`);
  const scored = rows.filter((row) => row.one.kind === "calls" || row.one.kind === "repair");
  const exact = scored.filter((row) => row.score.exact).length;
  const own = rows.filter((row) => row.score.invented).length;
  const offered = rows.filter((row) => row.inventedFromOffer).length;
  console.log(
    `rows without calls: ${own} invented with their own tools, ${offered} with more tools on offer`,
  );
  console.log(`toolcalls: ${exact} exact, ${scored.length - exact} wrong, ${own} invented`);
  return missed.length + own + offered + differing.length > 0 ? 1 : 0;
}

function runCase(one: Case, offers: (one: Case) => Case, splits: boolean): Row {
  const events = detect(one.text, optionsOf(one));
  const more = one.kind === "none" ? offers(one) : undefined;
  return {
    one,
    score: score(one, events),
    inventedFromOffer: more !== undefined && score(more, detect(more.text, optionsOf(more))).invented,
    differing: splits ? differingSplits(one, events) : [],
  };
}

const columns = ["calls", "repair", "none", "invented", "offered", "content", "reasoning"] as const;

function header(): string {
  return ["family".padEnd(22), ...columns.map((column) => column.padStart(11))].join("");
}

function line(family: string, rows: readonly Row[]): string {
  const of = (kind: Case["kind"]) => rows.filter((row) => row.one.kind === kind);
  const asserted = (part: "content" | "reasoning") =>
    rows.filter((row) => row.one.kind !== "open" && row.score[part] !== undefined);
  const cells = [
    share(of("calls"), (row) => row.score.exact),
    share(of("repair"), (row) => row.score.exact),
    String(of("none").length),
    String(rows.filter((row) => row.score.invented).length),
    String(rows.filter((row) => row.inventedFromOffer).length),
    share(asserted("content"), (row) => row.score.content === true),
    share(asserted("reasoning"), (row) => row.score.reasoning === true),
  ];
  return [family.padEnd(22), ...cells.map((cell) => cell.padStart(11))].join("");
}

function share(rows: readonly Row[], holds: (row: Row) => boolean): string {
  return rows.length === 0 ? "-" : `${rows.filter(holds).length}/${rows.length}`;
}

function belowFloor(family: string, rows: readonly Row[]): boolean {
  const floor = floors[family] ?? 0.75;
  const calls = rows.filter((row) => row.one.family === family && row.one.kind === "calls");
  if (calls.length === 0) return false;
  return calls.filter((row) => row.score.exact).length / calls.length < floor;
}

function printFailed(rows: readonly Row[]): void {
  for (const { one, score: result, inventedFromOffer } of rows) {
    const wrong = (one.kind === "calls" || one.kind === "repair") && !result.exact;
    const invented = result.invented || inventedFromOffer;
    if (wrong || invented) console.log(`${wrong ? "wrong" : "invented"}  ${one.id}`);
    else if (one.kind !== "open" && result.content === false) console.log(`content  ${one.id}`);
    else if (one.kind !== "open" && result.reasoning === false) console.log(`reasoning  ${one.id}`);
  }
}

function printSplits(differing: readonly Row[]): void {
  for (const row of differing) console.log(`differs  ${row.one.id}  ${row.differing.slice(0, 5).join(", ")}`);
  console.log(`split: ${differing.length} cases differ from the whole text`);
}
