/** Damages a call as models and servers do: one function for each rule. */
import type { Notation, RuleId } from "../../src/formats/rules.ts";
import type { JsonValue } from "../../src/index.ts";
import { type Kind, literal, samples } from "./values.ts";

/** A value, and the call around it as its format writes it. */
export interface Undamaged {
  readonly kind: Kind;
  readonly value: JsonValue;
  readonly notation: Notation;
  /** The token around texts in Gemma's notation. */
  readonly quote: string;
}

type Arguments = { readonly [key: string]: JsonValue };

export interface Damage {
  /** Returns the damaged text of the value; undefined if the damage cannot happen to it. */
  readonly value?: (one: Undamaged) => string | undefined;
  /** Returns the arguments to write in place of the right ones; undefined if the damage cannot happen. */
  readonly args?: (args: Arguments, one: Undamaged) => Arguments | undefined;
  /** Returns the damaged text of the whole call. `at` and `end` are the places of the value. */
  readonly call?: (text: string, at: number, end: number, one: Undamaged) => string;
  /** The value that is read, if it is not the one of the sample. */
  readonly reads?: (one: Undamaged) => JsonValue;
  /** The schema of the value, if it is not the one of the sample. */
  readonly schema?: (one: Undamaged) => { readonly [keyword: string]: unknown };
  readonly isNoCall?: true;
}

const isMarkup = ({ notation }: Undamaged) =>
  notation === "tags" || notation === "pairs" || notation === "elements";
const isText = ({ kind }: Undamaged) => kind === "text" || kind === "option";
const path = "D:\\Work\\notes\\today.txt";
const quoted = 'say "hi", it\'s "time"';
const long = "12345678901234567890";

/** Returns the text between plain quotes, with nothing escaped. */
function between(text: string, { notation, quote }: Undamaged, mark = '"'): string {
  if (notation === "gemma") return quote + text + quote;
  if (notation === "yaml") return ` ${mark}${text}${mark}`;
  return `${mark}${text}${mark}`;
}

const otherQuotes: Damage["value"] = (one) => {
  if (!isText(one)) return undefined;
  const { value, notation } = one;
  if (notation === "gemma") return `"${value}"`;
  if (notation === "json") return `'${value}'`;
  return notation === "yaml" ? ` '${value}'` : `“${value}”`;
};

const elements: Damage["value"] = ({ kind, notation }) => {
  if (kind !== "list" && kind !== "object") return undefined;
  if (notation === "gemma") return undefined;
  return kind === "list" ? "<item>mon</item><item>tue</item>" : "<day>mon</day><hour>9</hour>";
};

const words: { readonly [kind in Kind]?: readonly [json: string, other: string] } = {
  boolean: ["True", "true"],
  null: ["None", "null"],
};

function spelled(args: Arguments, from: string, to: string): Arguments {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key === from ? to : key, value]));
}

export const damages: { readonly [rule in RuleId]: Damage } = {
  "other-quotes": { value: otherQuotes },
  "open-quotes": {
    value: (one) =>
      one.kind === "text" ? between(quoted, one, one.notation === "gemma" ? "" : '"') : undefined,
    reads: () => quoted,
  },
  "no-quotes": {
    value: (one) => (isText(one) && one.notation !== "yaml" ? String(one.value).split(" ")[0] : undefined),
    reads: ({ value }) => String(value).split(" ")[0] ?? "",
  },
  backslashes: {
    value: (one) => (one.kind !== "text" ? undefined : isMarkup(one) ? path : between(path, one)),
    reads: () => path,
  },
  words: {
    value: ({ kind, notation }) => {
      const found = words[kind]?.[notation === "python" ? 1 : 0];
      return notation === "yaml" && found ? ` ${found}` : found;
    },
  },
  "text-as-type": {
    value: (one) => {
      if (!/^(?:integer|number|boolean|null)$/.test(one.kind)) return undefined;
      return between(JSON.stringify(one.value), one);
    },
  },
  "json-in-text": {
    value: (one) => {
      if (typeof one.value !== "object" || one.value === null) return undefined;
      const text = JSON.stringify(one.value);
      return isMarkup(one) ? JSON.stringify(text) : literalText(text, one);
    },
  },
  "spelled-option": {
    value: (one) => (one.kind === "option" ? literalText("Fast", one) : undefined),
  },
  elements: { value: elements },
  wrapper: { args: (args, { notation }) => ({ [notation === "json" ? "input" : "arguments"]: { ...args } }) },
  "wrapper-text": { args: (args) => ({ properties: JSON.stringify(args) }) },
  "spelled-key": { args: (args) => spelled(args, "planting_plan", "plantingPlan") },
  "undeclared-key": { args: (args) => ({ ...args, extra_note: "keep" }) },
  "missing-default": {
    args: ({ planting_plan: _missing, ...args }) => args,
    schema: ({ kind, value }) => ({ ...samples[kind].schema, default: value }),
  },
  "long-number": {
    value: ({ kind, notation }) => {
      if (kind !== "integer" && kind !== "number") return undefined;
      return notation === "yaml" ? ` ${long}` : long;
    },
    reads: ({ kind }) => (kind === "integer" ? Number(long) : long),
  },
  commas: {
    value: (one) => {
      const text = literal(one.value, one.notation, one.quote);
      return typeof one.value === "object" && one.value !== null
        ? `${text.slice(0, -1)},${text.slice(-1)}`
        : undefined;
    },
  },
  "no-end": {
    call: (text, _at, end, { notation }) => {
      const rest = text.slice(end);
      return text.slice(0, end) + (endOfArguments[notation].exec(rest)?.[0] ?? "");
    },
  },
  "lost-tokens": { call: (text) => text.replace(specialTokens, "").trim() },
  "cut-value": {
    call: (text, at, end) => text.slice(0, Math.max(at + 1, Math.floor((at + end) / 2))),
    isNoCall: true,
  },
};

/** Matches, after the last value, what belongs to the arguments and not to the frame around the call. */
const endOfArguments: { readonly [notation in Notation]: RegExp } = {
  json: /^[\]})]*/,
  python: /^\)*\]?/,
  gemma: /^\}*/,
  tags: /^\s*(?:<\/|<｜|<\||\]<\]minimax\[>\[<\/)[^>]*>(?:argument<\|sep\|>)?/,
  pairs: /^<\/arg_value>/,
  elements: /^<\/last_note>/,
  yaml: /^\n/,
};

const specialTokens =
  /<[|｜][^<>"\s]*?[|｜]>|<\|tool_call>|<tool_call\|>|<\|"\|>|\[(?:TOOL_CALLS|ARGS)\]|<(?:start|end)_function_call>|<escape>/g;

function literalText(text: string, { notation, quote }: Undamaged): string {
  return literal(text, notation, quote);
}
