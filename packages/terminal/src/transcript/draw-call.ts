/** Draws one tool call of the transcript, folded or opened. */
import { stripTerminalSequences } from "@earendil-works/pi-tui";
import {
  countDiff,
  countText,
  isJsonObject,
  type JsonObject,
  judgedDiff,
  sizeText,
  type ToolResult,
  timeText,
} from "@localharness/protocol";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedLine, judgedText, screenLine, screenText } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";
import { commandEnd, outputTail } from "./command-end.ts";
import type { DrawOptions } from "./draw-options.ts";
import type { DrawnItemOf } from "./item.ts";
import { jsonBeginning } from "./json-beginning.ts";
import { countLines, wrapText } from "./wrap-text.ts";

type CallItem = DrawnItemOf<"call">;

/** The maximum number of lines of a folded call: of its diff, of a command's output, and of a failed command's output. */
const maxFolded = { diff: 12, output: 5, failedOutput: 12 };
/** The maximum length of the arguments, and of the diff, of an opened call, in UTF-16 units. */
const maxOpenedChars = 32 * 1024;

/**
 * Returns the lines of a call. A folded call shows a few lines of the change to a file, or of the end of a command's
 * output.
 */
export function callLines(item: CallItem, width: number, options: DrawOptions): readonly string[] {
  const { theme, opened, rawCalls } = options;
  const head = callHead(item, width, theme);
  if (rawCalls) return [head, ...rawLines(item, width, theme)];
  if (!opened) {
    const body = [failureLines, answerLines, diffLines, outputLines, noteLines].flatMap((lines) =>
      lines(item, width, theme),
    );
    return [head, ...body];
  }
  return [head, ...openedLines(item, width - 2, theme).map((line) => `  ${line}`), ""];
}

function openedLines(
  { arguments: given, preview = "", diff = preview, result }: CallItem,
  width: number,
  theme: Theme,
): readonly string[] {
  const args = typeof given === "string" ? parsed(given) : given;
  const text = typeof args === "string" ? args : jsonBeginning(args, maxOpenedChars, 2);
  const left = diff.length - maxOpenedChars;
  const notes = (result?.notes ?? []).map((note) => theme.style("warning", `note: ${screenText(note)}`));
  return [
    ...wrapText(judgedText(text.slice(0, maxOpenedChars)), width).map((line) =>
      theme.style("tool-arguments", line),
    ),
    ...(text.length > maxOpenedChars ? [theme.style("dim", "… more arguments")] : []),
    ...(diff === "" ? [] : drawDiff(judgedDiff(diff.slice(0, maxOpenedChars)), width, theme)),
    ...(left > 0 ? [theme.style("dim", `… ${countText(left, "more character")} of the diff`)] : []),
    ...notes.flatMap((note) => wrapText(note, width)),
    ...(result?.error_message ? wrapText(theme.style("error", screenText(result.error_message)), width) : []),
    ...(result?.data ? wrapText(screenText(result.data), width) : []),
  ];
}

const maxNotes = 2;

/** Returns the notes on a finished command, such as why the sandbox made it fail, each in at most two lines. */
function noteLines(item: CallItem, width: number, theme: Theme): readonly string[] {
  if (commandEnd(item) === undefined) return [];
  return (item.result?.notes ?? []).slice(0, maxNotes).flatMap((note) => {
    const lines = wrapText(`note: ${screenLine(note)}`, width - 6);
    const shown = lines.slice(0, 2).map((line, at) => (at === 1 && lines.length > 2 ? `${line}…` : line));
    return shown.map((line) => theme.style("dim", `    ${line}`));
  });
}

/** Returns the reason why a call failed, in at most three lines and a hint. */
function failureLines({ result, why = "" }: CallItem, width: number, theme: Theme): readonly string[] {
  if (result === undefined || result.success) return [];
  const message = judgedText(why.slice(0, 1_000));
  const lines = wrapText(message, width - 4);
  const shown = lines.slice(0, 3).map((line) => theme.style("dim", `    ${line}`));
  if (lines.length > 3) shown.push(theme.style("dim", "    … Ctrl+O opens"));
  return shown;
}

/** Returns the answer to a question of the model, in at most three lines. */
function answerLines({ toolName, result }: CallItem, width: number, theme: Theme): readonly string[] {
  if (toolName !== "ask_person" || result?.success !== true) return [];
  const lines = wrapText(`answer: ${judgedLine((result.data ?? "").slice(0, 1_000))}`, width - 4);
  const shown = lines.slice(0, 3).map((line) => theme.style("user", `    ${line}`));
  return lines.length > 3 ? [...shown, theme.style("dim", "    … Ctrl+O opens")] : shown;
}

/**
 * Returns the first lines of the change that the call made. The header is left out, because the line above names the
 * file.
 */
function diffLines({ diff, result }: CallItem, width: number, theme: Theme): readonly string[] {
  if (diff === undefined || result?.success !== true) return [];
  const hunks = diff.slice(Math.max(0, diff.search(/^@@/m)), 20_000);
  const lines = drawDiff(judgedDiff(hunks), width - 4, theme);
  const shown = lines.slice(0, maxFolded.diff).map((line) => `    ${line}`);
  const left = lines.length - shown.length;
  return left > 0
    ? [...shown, theme.style("dim", `    … ${countText(left, "more line")} · Ctrl+O opens`)]
    : shown;
}

/** Returns the last lines of a command's output. */
function outputLines(item: CallItem, width: number, theme: Theme): readonly string[] {
  const end = commandEnd(item);
  if (end === undefined || end.output.trim() === "") return [];
  const most = end.failed ? maxFolded.failedOutput : maxFolded.output;
  const drawn = outputTail(end.output, most).flatMap((line) => wrapText(line, width - 4));
  const shown = drawn.slice(-most).map((line) => theme.style("dim", `    ${line}`));
  const above = countLines(end.output.trimEnd()) - most;
  return above > 0
    ? [theme.style("dim", `    … ${countText(above, "more line")} · Ctrl+O opens`), ...shown]
    : shown;
}

function rawLines(item: CallItem, width: number, theme: Theme): readonly string[] {
  const call = { id: item.callId, name: item.toolName, arguments: item.arguments };
  const shown = item.result === undefined ? [call] : [call, item.result];
  return shown.flatMap((value) =>
    wrapText(judgedText(jsonBeginning(value, 20_000)), width - 4).map(
      (line) => `    ${theme.style("dim", line)}`,
    ),
  );
}

/** Returns the one-line summary of a call, such as `✓ bash npm test · 12 lines, 4.1 KB · 1.2 s`. */
export function callHead(item: CallItem, width: number, theme: Theme): string {
  const { result } = item;
  const mark =
    result === undefined
      ? theme.style("accent", "•")
      : result.success && commandEnd(item)?.failed !== true
        ? theme.style("ok", "✓")
        : theme.style("error", "✗");
  const tool = clip(item.toolName, 100);
  const name = theme.style("tool-name", judgedLine(tool));
  const after = result === undefined ? "" : resultText(item, result, theme);
  const room = Math.max(10, width - tool.length - 4 - stripTerminalSequences(after).length);
  // A plan is drawn in full elsewhere: below the call, or in the question.
  const summary = item.plan === undefined ? clip(argumentsSummary(item.arguments), room) : "";
  return `${mark} ${name} ${theme.style("tool-arguments", summary)}${after}`;
}

function resultText(item: CallItem, result: ToolResult, theme: Theme): string {
  const { execution_time_ms: ms, data_size_bytes: bytes } = result.metadata;
  if (!result.success) return ` ${theme.style("error", result.error_type)}`;
  const end = commandEnd(item);
  const how = end?.failed === true ? end.line : "";
  const failure = how === "" ? "" : theme.style("error", ` · ${judgedLine(how)}`);
  return `${failure}${theme.style("dim", `${sizeOf(item, result.data ?? "", bytes)} · ${timeText(ms)}`)}`;
}

function sizeOf(item: CallItem, data: string, bytes: number): string {
  if (item.diff !== undefined) {
    const { added, removed } = countDiff(item.diff);
    return ` · +${added} -${removed}`;
  }
  // The line about the end of a command does not count as output.
  const end = commandEnd(item);
  if (end?.wholeBytes !== undefined) return ` · ${sizeText(end.wholeBytes)}, shown in part`;
  const output = end?.output.trimEnd();
  const size = output === undefined ? bytes : Buffer.byteLength(output);
  const lines = countLines(output ?? data);
  return size === 0 ? "" : ` · ${countText(lines, "line")}, ${sizeText(size)}`;
}

/**
 * Returns the arguments on one line: first the value of the main argument, such as the command or path, then
 * `name=value` for the others.
 */
function argumentsSummary(given: string | JsonObject): string {
  const args = typeof given === "string" ? parsed(given) : given;
  if (typeof args === "string") return judgedLine(args.slice(0, 400));
  const entries = Object.entries(args);
  const main = entries.find(([key, value]) => mainArguments.includes(key) && typeof value === "string");
  const others = entries
    .filter((entry) => entry !== main)
    .slice(0, 20)
    .map(
      ([key, value]) =>
        `${clip(key, 40)}=${typeof value === "string" ? clip(value, 40) : jsonBeginning(value, 400)}`,
    );
  const words = main === undefined ? others : [String(main[1]).slice(0, 400), ...others];
  return judgedLine(words.join(" "));
}

/** Parses arguments that an API sent as JSON text. Returns the text itself if it is too long or not a JSON object. */
function parsed(text: string): string | JsonObject {
  if (text.length > 100_000) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : text;
  } catch {
    return text;
  }
}

const mainArguments = ["command", "path", "file_path", "pattern", "query", "content", "task"];

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}
