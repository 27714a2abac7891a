/** One case: a mutated text and the options with which it is read, computed from a seed and an index alone. */
import { type DetectorOptions, type FormatId, formats, type ToolSchema } from "../../src/index.ts";
import { nests } from "./dictionary.ts";
import { mutate } from "./mutate.ts";
import { type Random, randomOf } from "./random.ts";
import { seedText } from "./seed-texts.ts";
import { fuzzTools } from "./seed-tools.ts";
import { wordOf, wordPattern } from "./seed-values.ts";

export interface FuzzCase {
  readonly text: string;
  readonly options: DetectorOptions;
  /** True if the text is also read in pieces, which `cutSeed` determines. */
  readonly inPieces: boolean;
  readonly cutSeed: number;
}

const ids: readonly FormatId[] = formats.map((format) => format.id);

export function fuzzCase(seed: number, index: number): FuzzCase {
  const random = randomOf(seed, index);
  let count = random.below(9000);
  const next = () => wordOf(count++);
  const other = () => seedText(random, next);
  const long = random.chance(1 / 400);
  const mutated = long ? longText(random, next()) : mutate(other(), random, other);
  // Doubled words get separate numbers, so that one cannot hide the loss of another.
  const text = random.chance(0.8) ? renumbered(mutated) : mutated;
  return {
    text,
    options: optionsOf(random),
    inPieces: long || random.chance(0.15),
    cutSeed: random.below(2 ** 31),
  };
}

/** Returns 4,000 or more characters of one or two fragments, which show if time grows with the square of the length. */
function longText(random: Random, word: string): string {
  const length = random.pick([4_000, 12_000, 30_000]);
  const fragment = random.pick(nests) + (random.chance(0.3) ? random.pick(nests) : "");
  const front = random.chance(0.5) ? random.pick(nests) : "";
  return `${front}${fragment.repeat(Math.ceil(length / fragment.length))}${word}`;
}

function renumbered(text: string): string {
  let count = 0;
  return text.replace(wordPattern, () => wordOf(count++));
}

/** These lists are reused, because the detector prepares the tools of a list only once. */
const noTools: readonly ToolSchema[] = [];
const oneTool: readonly (readonly ToolSchema[])[] = fuzzTools.map((tool) => [tool]);

function optionsOf(random: Random): DetectorOptions {
  const kind = random.next();
  const tools = kind < 0.08 ? noTools : kind < 0.16 ? random.pick(oneTool) : fuzzTools;
  const narrow = random.next();
  const format =
    narrow < 0.03 ? random.pick(ids) : narrow < 0.06 ? [random.pick(ids), random.pick(ids)] : "auto";
  return { tools, format, ...(random.chance(0.04) ? { startsInReasoning: true } : {}) };
}

/** Returns the text in pieces: one UTF-16 unit at a time, two pieces, or many of random length. */
export function piecesOf(text: string, cutSeed: number): string[] {
  const random = randomOf(cutSeed, 0);
  const kind = random.below(3);
  if (kind === 0) return text.split("");
  if (kind === 1) {
    const cut = random.below(text.length + 1);
    return [text.slice(0, cut), text.slice(cut)];
  }
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = random.chance(0.1) ? random.below(200) : random.below(12);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
