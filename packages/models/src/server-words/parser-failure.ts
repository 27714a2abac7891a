/**
 * Recognises that a server could not read its model's answer, and finds the model's text that it quotes:
 *
 *     Failed to parse input at pos 12: <tool_call>...
 *     error parsing tool call: raw='{"path": ...', err=unexpected end of JSON input
 *     {"error": {"code": "tool_use_failed", "failed_generation": "<function=ls>{}</function>"}}
 */
import { isJsonObject } from "@localharness/protocol";

export interface ParserFailure {
  /** The server's words without the model's text and without numbers. They are the same for failures of the same kind. */
  readonly kind: string;
  /** The model's text, as far as the server quotes it; empty if it does not. */
  readonly text: string;
  /** True if the server marks the text as the model's. Otherwise it may be an explanation. */
  readonly isMarked: boolean;
}

/** The keys under which servers quote the model's text. */
const quoteKeys: readonly string[] = [
  ["failed_generation", "failed_output", "generated_text", "generation", "raw_output", "model_output"],
  ["raw_text", "raw_generation", "raw_response", "completion_text"],
].flat();

const failing = "fail(?:ed|ure|s)?|error|unable|could not|couldn't|cannot|can't|invalid|malformed|unexpected";
const reading = "pars(?:e|ed|er|ing)|extract\\w*|decod\\w*|deserializ\\w*|syntax|interpret\\w*";
const output =
  "input at pos|(?:tool|function|fc)[ _-]?(?:calls?|use|related)|(?:model|assistant|llm)(?:'s)? (?:output|response|answer|text)|model[ _]output|generat(?:ion|ed)|xml|harmony|completion";

/** Matches words about an answer that cannot be read, in either order. */
const ofAnswer = [
  new RegExp(`\\b(?:${failing})\\b.{0,40}(?:${reading}).{0,60}(?:${output})`, "i"),
  new RegExp(`\\b(?:${failing})\\b.{0,40}(?:${output}).{0,60}(?:${reading})`, "i"),
  new RegExp(`(?:${output}).{0,40}(?:${failing}).{0,40}(?:${reading})`, "i"),
  new RegExp(`(?:${output}).{0,60}(?:${reading}).{0,20}(?:${failing})`, "i"),
  /\boutput\b.{0,40}(?:(?:does|did) not|n't) (?:match|follow|conform)/i,
  /\btool_use_failed\b|\bfailed_generation\b|failed to call a function|malformed[_ ]function[_ ]call|HarmonyError|unexpected tokens? (?:remaining|in message header)/i,
];

/** Matches words about a request that cannot be read. */
const ofRequest =
  /\b(?:messages?\[|tools\[|tool_choice|request body|json[_ ]schema|grammar|chat[_ ]?template|jinja|messages:)|pars\w* (?:the )?(?:messages|tools|request|grammar|schema|template|arguments of (?:the )?(?:message|history))/i;

/** Matches the words before the model's text, at whose end it begins. */
const beforeMarked = [/\braw\s*[=:]\s*(?=['"`])/i, /\bat pos(?:ition)? \d+\s*:\s*/i];
const beforeText = [
  ...beforeMarked,
  /(?:tool[ _]calls?|function[ _]calls?|(?:model|assistant)[ _](?:output|response|answer)|output|generation|completion|response|xml|input|format)\s*(?:was|is)?\s*[:=]\s*/i,
];

/** Matches an explanation that follows the quoted text. */
const afterText = /['"`]?,?\s*\b(?:err|error|reason|cause)\s*[=:][\s\S]{0,400}$/;

/** The maximum length of the model's text that is read, in characters. */
const maxTextChars = 256 * 1024;
/** The maximum length of the words before the model's text, in characters. */
const maxHeadChars = 600;

/** Returns the failure if the body of an error says that the model's answer could not be read; else undefined. */
export function parserFailure(body: unknown): ParserFailure | undefined {
  const strings = textsIn(body, 8);
  const quote = strings.find(({ key, text }) => quoteKeys.includes(key) && text.trim() !== "")?.text;
  for (const { key, text } of strings) {
    if (quoteKeys.includes(key)) continue;
    const head = text.slice(0, maxHeadChars);
    const from = startOfText(head);
    const words = from === undefined ? head : head.slice(0, from);
    if (!ofAnswer.some((pattern) => pattern.test(words)) || ofRequest.test(words)) continue;
    const quoted = quote ?? (from === undefined ? "" : unquoted(text.slice(from)));
    const isMarked = quote !== undefined || beforeMarked.some((pattern) => pattern.test(head));
    return { kind: kindOf(words), text: quoted.slice(0, maxTextChars), isMarked };
  }
  if (quote === undefined) return undefined;
  return { kind: "failed generation", text: quote.slice(0, maxTextChars), isMarked: true };
}

function startOfText(head: string): number | undefined {
  for (const pattern of beforeText) {
    const match = pattern.exec(head);
    if (match !== null && match.index + match[0].length < head.length) return match.index + match[0].length;
  }
  const markup = /<(?:\||tool_call|function|invoke|｜|\w+>)|\[TOOL_CALLS\]/.exec(head);
  return markup?.index;
}

/** Returns the quoted text without its quotes and the explanation after it. */
function unquoted(text: string): string {
  const quote = /^['"`]/.exec(text)?.[0];
  if (quote === undefined) return text;
  const body = text.slice(1);
  const explained = afterText.exec(body);
  const inside = explained === null ? body : body.slice(0, explained.index);
  return inside.endsWith(quote) ? inside.slice(0, -1) : inside;
}

function kindOf(words: string): string {
  return words.replace(/\d+/g, "#").replace(/\s+/g, " ").trim().slice(0, 120);
}

interface KeyedText {
  readonly key: string;
  readonly text: string;
}

/** Returns the texts of a body with their keys, also those in JSON that a text contains. */
function textsIn(value: unknown, levels: number, key = ""): readonly KeyedText[] {
  if (levels === 0) return [];
  if (typeof value === "string") {
    const inner = quoteKeys.includes(key) ? undefined : parsed(value);
    return inner === undefined ? [{ key, text: value }] : textsIn(inner, levels - 1, key);
  }
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((item) => textsIn(item, levels - 1, key));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "input" ? [] : textsIn(inner, levels - 1, name),
  );
}

/** Returns the value of a text that is JSON, or the text of one `data:` line that is; else undefined. */
function parsed(text: string): unknown {
  const body = text.replace(/^\s*(?:data:)?\s*/, "");
  if (!/^[{[]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
