/**
 * Mutates texts: deletes, doubles, swaps and moves spans, inserts tokens of all formats, and changes cuts, case,
 * white space and nesting.
 */
import { awkward, markup, nests, parts } from "./dictionary.ts";
import type { Random } from "./random.ts";

type Mutation = (text: string, random: Random, other: () => string) => string;

function token(random: Random): string {
  const kind = random.next();
  return random.pick(kind < 0.35 ? markup : kind < 0.6 ? parts : awkward);
}

/** Returns two places in the text, mostly near one another; the first is not after the second. */
function span(text: string, random: Random): [number, number] {
  const start = random.below(text.length + 1);
  const longest = random.chance(0.5) ? 8 : random.chance(0.7) ? 40 : text.length;
  return [start, Math.min(text.length, start + random.below(longest + 1))];
}

/** Returns a place beside a sign of structure, where mutations hurt most; a random place if no sign follows. */
function joint(text: string, random: Random): number {
  const start = random.below(text.length + 1);
  const sign = /[<>{}[\]"'|,:=\n/]/g;
  sign.lastIndex = start;
  const found = sign.exec(text);
  return found === null ? start : found.index + random.below(2);
}

const insertToken: Mutation = (text, random) => {
  const at = random.chance(0.6) ? joint(text, random) : random.below(text.length + 1);
  return text.slice(0, at) + token(random) + text.slice(at);
};

const deleteSpan: Mutation = (text, random) => {
  const [start, end] = span(text, random);
  return text.slice(0, start) + text.slice(end);
};

const replaceSpan: Mutation = (text, random) => {
  const [start, end] = span(text, random);
  return text.slice(0, start) + token(random) + text.slice(end);
};

const doubleSpan: Mutation = (text, random) => {
  const [start, end] = span(text, random);
  return text.slice(0, end) + text.slice(start);
};

const moveSpan: Mutation = (text, random) => {
  const [start, end] = span(text, random);
  const rest = text.slice(0, start) + text.slice(end);
  const at = joint(rest, random);
  return rest.slice(0, at) + text.slice(start, end) + rest.slice(at);
};

const swapSpans: Mutation = (text, random) => {
  const [start, end] = span(text, random);
  const [from, to] = span(text.slice(end), random);
  return (
    text.slice(0, start) +
    text.slice(end + from, end + to) +
    text.slice(end, end + from) +
    text.slice(start, end) +
    text.slice(end + to)
  );
};

const cutOff: Mutation = (text, random) =>
  random.chance(0.8)
    ? text.slice(0, random.below(text.length + 1))
    : text.slice(random.below(text.length + 1));

/** Deletes one or two characters beside a sign of structure: a quote, a brace, half a tag. */
const deleteSign: Mutation = (text, random) => {
  const at = joint(text, random);
  return text.slice(0, at) + text.slice(at + 1 + random.below(2));
};

const splice: Mutation = (text, random, other) => {
  const second = other();
  return text.slice(0, joint(text, random)) + second.slice(joint(second, random));
};

const nestOther: Mutation = (text, random, other) => {
  const at = joint(text, random);
  return text.slice(0, at) + other() + text.slice(at);
};

const flipCase: Mutation = (text, random) => {
  const [start, end] = span(text, random);
  const inside = text.slice(start, end);
  return (
    text.slice(0, start) +
    (random.chance(0.5) ? inside.toUpperCase() : inside.toLowerCase()) +
    text.slice(end)
  );
};

const changeSpace: Mutation = (text, random) => {
  const from = random.below(text.length + 1);
  const gap = random.pick(["", " ", "\n", "\n\n", "\t", "\r\n", "    ", "\u00a0"]);
  const pattern = random.pick([/\n/, /\s+/, / /]);
  const all = random.chance(0.2);
  const rest = all
    ? text.slice(from).replaceAll(new RegExp(pattern, "g"), () => gap)
    : text.slice(from).replace(pattern, () => gap);
  return text.slice(0, from) + rest;
};

const nest: Mutation = (text, random) => {
  const at = joint(text, random);
  const count = random.pick([5, 20, 60, 200, 700]);
  return text.slice(0, at) + random.pick(nests).repeat(count) + text.slice(at);
};

const mutations: readonly Mutation[] = [
  ...[insertToken, insertToken, insertToken, insertToken, insertToken, deleteSpan, deleteSpan, replaceSpan],
  ...[doubleSpan, moveSpan, swapSpans, cutOff, deleteSign, deleteSign, flipCase, changeSpace, nestOther],
];

/** Returns the text after one to six changes; rarely also spliced with another text or nested deeply. */
export function mutate(text: string, random: Random, other: () => string): string {
  let mutated = text;
  if (random.chance(0.08)) mutated = splice(mutated, random, other);
  for (let count = 1 + random.below(random.chance(0.3) ? 6 : 3); count > 0; count -= 1) {
    mutated = random.pick(mutations)(mutated, random, other);
  }
  return random.chance(0.02) ? nest(mutated, random, other) : mutated;
}
