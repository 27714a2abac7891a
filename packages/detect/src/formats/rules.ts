/**
 * The rules by which values are read, and the formats that take them. Every format takes every rule, except where the table
 * gives a reason. A reason holds for all formats with the same notation, or for one format.
 */
import type { FormatId } from "./rows.ts";

/** The notation of the arguments in a format. */
export type Notation = "json" | "python" | "gemma" | "tags" | "pairs" | "elements" | "yaml";

/** The rules, with what each of them reads. */
export const rules = {
  "other-quotes": "a text in other quotes than those of the notation",
  "open-quotes": "a text with quotes that were not escaped",
  "no-quotes": "a word without its quotes",
  backslashes: "a path of Windows whose backslashes were not escaped",
  words: "true, false and null as another language writes them",
  "text-as-type": "a value that the model put in quotes, where the schema wants another type",
  "json-in-text": "a list or an object as JSON in a text",
  "spelled-option": "an option of an enum in another case",
  elements: "a list or an object written as elements",
  wrapper: "all arguments under one key, such as `arguments` or `properties`",
  "wrapper-text": "all arguments as JSON in a text under one key",
  "spelled-key": "a key in another spelling",
  "undeclared-key": "a key that the tool does not declare, which stays",
  "missing-default": "a required argument that is missing and has a default",
  "long-number": "a number with more digits than a number keeps",
  commas: "a comma after the last member",
  "no-end": "a call without the marks after its arguments",
  "lost-tokens": "a call whose special tokens a server dropped",
  "cut-value": "a text that ends inside a value, which is no call",
} as const;

export type RuleId = keyof typeof rules;

export const ruleIds = Object.keys(rules) as readonly RuleId[];

const notations: { readonly [id in FormatId]?: Notation } = {
  pythonic: "python",
  lfm2: "python",
  olmo3: "python",
  gemma: "gemma",
  functiongemma: "gemma",
  glm: "pairs",
  "qwen-coder": "tags",
  "seed-oss": "tags",
  minimax: "tags",
  "minimax-m3": "tags",
  dsml: "tags",
  step3: "tags",
  minicpm: "tags",
  glimmer: "tags",
  "kimi-k3": "tags",
  "morph-xml": "elements",
  "yaml-xml": "yaml",
};

export function notationOf(id: FormatId): Notation {
  return notations[id] ?? "json";
}

type Reasons = { readonly [rule in RuleId]?: string };

const noQuotes = "values have no quotes, so quotes are a part of the text";
const noCommas = "nothing separates arguments but their tags";
const ownLists = "lists and objects have brackets, so tags in a text are a part of it";

const markup: Reasons = {
  "other-quotes": noQuotes,
  "open-quotes": noQuotes,
  "no-quotes": noQuotes,
  commas: noCommas,
};

const byNotation: { readonly [notation in Notation]: Reasons } = {
  json: { elements: ownLists },
  python: { elements: ownLists },
  gemma: { elements: ownLists },
  tags: markup,
  pairs: markup,
  elements: markup,
  yaml: { elements: ownLists, commas: "members are lines", "no-quotes": "most texts have no quotes in YAML" },
};

const noName = "a word without quotes is a name in a program, and nothing marks the text as a call";
const noEnd = "nothing marks the end: the arguments end the call";
const noTokens = "its marks are text, which no server drops";
const noCall = "the rest is like text that is no call";

/** The formats whose calls have no end mark. */
const endless: ReadonlySet<FormatId> = new Set<FormatId>([
  ...(["mistral", "functools", "gigachat", "granite", "llama3", "functionary", "pythonic"] as const),
  ...(["json", "json-list", "openai", "tool-args", "ralph-lines", "name-call"] as const),
]);

/** The formats whose marks are special tokens. */
const tokened: ReadonlySet<FormatId> = new Set<FormatId>([
  ...(["step3", "glimmer", "deepseek", "kimi-k2", "kimi-k3", "harmony", "mistral", "gemma"] as const),
  ...(["functiongemma", "lfm2", "cohere", "internlm", "apertus", "gigachat", "granite", "inkling"] as const),
  "llama3",
]);

const byFormat: { readonly [id in FormatId]?: Reasons } = {
  minicpm: { "undeclared-key": "its own reader drops such keys" },
  "kimi-k3": { "lost-tokens": "without its tokens nothing separates keys from values" },
  apertus: { "lost-tokens": noCall },
  pythonic: { "other-quotes": noName, "no-quotes": noName },
  json: { "no-quotes": noName },
  "json-list": { "no-quotes": noName },
  openai: { "no-quotes": noName },
  "tool-args": { "no-quotes": noName },
  "fenced-json": { "no-quotes": noName },
};

/** Returns the reason why a format does not take a rule; undefined if it takes the rule. */
export function reasonAgainst(id: FormatId, rule: RuleId): string | undefined {
  if (rule === "no-end" && endless.has(id)) return noEnd;
  if (rule === "lost-tokens" && !tokened.has(id)) return noTokens;
  return byFormat[id]?.[rule] ?? byNotation[notationOf(id)][rule];
}
