/** Crosses each rule with each format and each kind of value: damages a call that the format's own writer wrote, and reads it. */
import { isDeepStrictEqual } from "node:util";
import { notationOf, type RuleId, reasonAgainst, ruleIds, rules } from "../../src/formats/rules.ts";
import { table } from "../../src/formats/table.ts";
import {
  createDetector,
  detect,
  type FormatId,
  type JsonValue,
  mergeDeltas,
  summarize,
} from "../../src/index.ts";
import { damages, type Undamaged } from "./damages.ts";
import { type Kind, kinds, literal, samples, toolsFor } from "./values.ts";

export interface Cell {
  readonly rule: RuleId;
  readonly format: FormatId;
  readonly kind: Kind;
  /** The reason why the format does not take the rule. */
  readonly reason: string | undefined;
  readonly text: string;
  /** What is wrong with the reading; undefined if it is right. */
  readonly problem: string | undefined;
}

type Arguments = { readonly [key: string]: JsonValue };

const quotes: { readonly [id in FormatId]?: string } = { gemma: '<|"|>', functiongemma: "<escape>" };

/** Returns a cell for each kind of value to which the damage can happen. */
export function cellsOf(rule: RuleId, format: FormatId): Cell[] {
  return kinds.flatMap((kind) => cellOf(rule, format, kind) ?? []);
}

export function allCells(): Cell[] {
  return ruleIds.flatMap((rule) => table.flatMap(({ id }) => cellsOf(rule, id)));
}

function cellOf(rule: RuleId, format: FormatId, kind: Kind): Cell | undefined {
  const one: Undamaged = {
    kind,
    value: samples[kind].value,
    notation: notationOf(format),
    quote: quotes[format] ?? "",
  };
  const damage = damages[rule];
  const args = { first_note: "the start", planting_plan: one.value, last_note: "the finish" };
  const text = damagedText(rule, format, args, one);
  if (text === undefined) return undefined;
  const expected: Arguments = {
    ...args,
    planting_plan: damage.reads?.(one) ?? one.value,
    ...(rule === "undeclared-key" ? { extra_note: "keep" } : {}),
  };
  const schema = damage.schema?.(one) ?? samples[kind].schema;
  const problem = problemOf(text, schema, damage.isNoCall ? undefined : expected);
  return { rule, format, kind, reason: reasonAgainst(format, rule), text, problem };
}

/** Returns the damaged text of a call; undefined if the damage cannot happen to it. */
function damagedText(rule: RuleId, format: FormatId, args: Arguments, one: Undamaged): string | undefined {
  const damage = damages[rule];
  const write = (given: Arguments) =>
    table.find(({ id }) => id === format)?.write([{ name: "plant_bed", arguments: given }]) ?? "";
  const whole = write(args);
  if (damage.args) {
    const given = damage.args(args, one);
    return given && write(given);
  }
  const written = literal(one.value, one.notation, one.quote);
  const at = whole.lastIndexOf(written);
  const last = whole.lastIndexOf("the finish") + "the finish".length;
  if (damage.value) {
    const value = damage.value(one);
    if (value === undefined) return undefined;
    if (at < 0) throw new Error(`${format} does not write ${written}: ${whole}`);
    return whole.slice(0, at) + value + whole.slice(at + written.length);
  }
  if (rule === "cut-value") return damage.call?.(whole, at, at + written.length, one);
  const quote = one.quote !== "" ? one.quote : whole.charAt(last) === '"' ? '"' : "";
  const damaged = damage.call?.(whole, at, last + quote.length, one);
  return damaged === whole ? undefined : damaged;
}

function problemOf(
  text: string,
  schema: { readonly [keyword: string]: unknown },
  expected: Arguments | undefined,
) {
  const options = { tools: toolsFor(schema) };
  const events = detect(text, options);
  const { calls, errors } = summarize(events);
  const got = calls.map((call) => call.arguments);
  const wanted = expected === undefined ? [] : [expected];
  if (!isDeepStrictEqual(sorted(got), sorted(wanted))) {
    return `read ${JSON.stringify(got)}${errors.map(({ message }) => ` ${message}`).join("")}`;
  }
  const detector = createDetector(options);
  const pieces = (text.match(/[\s\S]{1,5}/g) ?? []).flatMap((piece) => detector.push(piece));
  const inPieces = mergeDeltas([...pieces, ...detector.end()]);
  return isDeepStrictEqual(inPieces, events) ? undefined : "read differently in pieces";
}

function sorted(args: readonly Arguments[]): unknown {
  return args.map((one) => Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the grid as lines of text: for each rule the formats that take it, the cells, and the reasons of the others. */
export function gridLines(cells: readonly Cell[]): string[] {
  const lines = ruleIds.flatMap((rule) => {
    const row = cells.filter((cell) => cell.rule === rule);
    const taken = row.filter(({ reason }) => reason === undefined);
    const wrong = taken.filter(({ problem }) => problem !== undefined);
    const formats = new Set(taken.map(({ format }) => format)).size;
    const reasons = new Map<string, FormatId[]>();
    for (const { id } of table) {
      const reason = reasonAgainst(id, rule);
      if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
    }
    const counts = `${formats} formats, ${taken.length - wrong.length}/${taken.length} cells`;
    return [
      `${rule.padEnd(16)} ${counts}  ${rules[rule]}`,
      ...[...reasons].map(([reason, ids]) => `${" ".repeat(17)}not ${ids.join(", ")}: ${reason}`),
    ];
  });
  const taken = cells.filter(({ reason }) => reason === undefined);
  const right = taken.filter(({ problem }) => problem === undefined).length;
  const withReason = table.flatMap(({ id }) =>
    ruleIds.filter((rule) => reasonAgainst(id, rule) !== undefined),
  ).length;
  return [
    ...lines,
    `rules: ${ruleIds.length} rules x ${table.length} formats: ${right}/${taken.length} cells taken, ${withReason} pairs with a reason`,
  ];
}
