/**
 * Builds the text of a permission question for the line-by-line chat. The text shows the call, with hidden characters
 * escaped.
 */
import {
  countText,
  coversText,
  gradeText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  maxShortPaths,
  offerDetails,
  offeredChoices,
  type PermissionRequest,
  questionFacts,
  questionWarnings,
  shortFacts,
  unnamedPaths,
  widerAnswers,
  widerText,
} from "@localharness/protocol";
import { judgedLine, judgedText } from "./plain-text.ts";

const shortChars = 480;
const shortDiffLines = 40;

interface Shortened {
  readonly text: string;
  /** True if something was left out. The person can then show everything with `v`. */
  readonly cut: boolean;
}

/**
 * Returns the text of the question: the call and its diff, its grade with the warnings, one line of facts, and what the answers
 * cover. With `whole`, nothing is cut and all facts are there. Escapes invisible characters and characters that look like
 * others.
 */
export function permissionText(request: PermissionRequest, whole = false): string {
  const args = argumentsText(request.arguments, whole);
  const diff = request.preview === undefined ? undefined : diffText(request.preview, whole);
  const once = request.answers?.includes("session") === false;
  const isMore = unnamedPaths(request).length > maxShortPaths;
  const cut = args.cut || (diff?.cut ?? false) || isMore;
  const lines = [
    "⚠️  Permission Request",
    "",
    `Tool: ${judgedLine(request.toolName)}`,
    `Arguments: ${args.text}`,
    ...(diff === undefined ? [] : ["", diff.text, ""]),
    `Risk: ${gradeText(request).text}`,
    ...questionWarnings(request).map((warning) => `Careful: ${warning}`),
    ...offerDetails(request),
    ...(whole ? wholeFacts(request) : briefFacts(request, once)),
    "",
    `${choicesText(request, once)}${cut ? "  (v) shows all" : ""}`,
    ...widerLines(request),
  ];
  return `${lines.join("\n")}\n`;
}

function choicesText(request: PermissionRequest, once: boolean): string {
  const offered = offeredChoices(request)?.map(
    ({ number, words, careful }) =>
      `[${number}] ${words}${careful === undefined ? "" : ` (careful: ${careful})`}`,
  );
  return offered?.join("\n") ?? `[1] Allow Once${once ? "" : "  [2] Session  [3] Remember"}  [4] Deny`;
}

function widerLines(request: PermissionRequest): readonly string[] {
  const covers = widerText(request);
  return covers === undefined
    ? []
    : widerAnswers.map(({ number, words }) => `[${number}] ${words}: ${covers}`);
}

function wholeFacts(request: PermissionRequest): readonly string[] {
  return [...questionFacts(request), `SHA-256 of the arguments: ${judgedLine(request.argumentsHash)}`];
}

function briefFacts(request: PermissionRequest, once: boolean): readonly string[] {
  const facts = shortFacts(request);
  const covers = coversText(request);
  const scope = once ? `An answer covers ${covers}` : `[2] and [3] cover, in this workspace: ${covers}`;
  return [...(facts.length === 0 ? [] : [facts.join(" · ")]), ...(covers === "" ? [] : [scope])];
}

/** Returns the arguments on one line. A text above `limit` loses its middle, because harm is often hidden at the end. */
export function argumentsText(args: JsonObject, whole: boolean, limit = shortChars): Shortened {
  const text = judgedLine(spacedJson(args));
  if (whole || text.length <= limit) return { text, cut: false };
  const part = Math.floor(limit / 2);
  const left = text.length - 2 * part;
  return {
    text: `${text.slice(0, part)} …${countText(left, "more character")}… ${text.slice(-part)}`,
    cut: true,
  };
}

function spacedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${spacedJson(inner)}`)
    .join(", ")}}`;
}

function diffText(preview: string, whole: boolean): Shortened {
  const lines = judgedText(preview).replace(/\n$/, "").split("\n");
  if (whole) return { text: lines.join("\n"), cut: false };
  const shown = lines
    .slice(0, shortDiffLines)
    .map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line));
  const left = lines.length - shown.length;
  const cut = left > 0 || lines.some((line) => line.length > 400);
  if (left > 0) shown.push(`… ${countText(left, "more line")}`);
  return { text: shown.join("\n"), cut };
}
