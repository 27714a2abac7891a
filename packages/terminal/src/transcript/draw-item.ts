/** Draws one item of the transcript, folded or opened. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isJsonObject, type JsonObject, sizeText, timeText } from "@localharness/protocol";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedDiff } from "../diff/judged-diff.ts";
import { createPartPainter } from "../markdown/draw-part.ts";
import { createBlockSplitter } from "../markdown/split-blocks.ts";
import { judgedLine, judgedText, screenLine, screenText } from "../plain-text.ts";
import type { StyleName, Theme } from "../theme/theme.ts";
import type { CallItem, Item } from "./item.ts";
import { jsonBeginning } from "./json-beginning.ts";

export interface DrawOptions {
  readonly theme: Theme;
  /** Whether the item is drawn with all its details. */
  readonly opened: boolean;
  /** Whether calls and results are drawn as raw JSON. */
  readonly rawCalls: boolean;
}

export function drawItem(item: Item, width: number, options: DrawOptions): readonly string[] {
  switch (item.kind) {
    case "user":
      return userLines(item, width, options);
    case "answer":
      return answerLines(item, width, options);
    case "thought":
      return thoughtLines(item, width, options);
    case "call":
      return callLines(item, width, options);
    case "notice":
      return noticeLines(item, width, options);
    case "command":
      return commandLines(item, width, options);
  }
}

type Of<Kind extends Item["kind"]> = Extract<Item, { kind: Kind }>;

const foldedLines = 12;
/** UTF-16 units of a call's arguments, and of its diff, that an opened call shows. */
const maxOpenedChars = 32 * 1024;

function userLines(
  { text, from }: Of<"user">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const style: StyleName = from === "person" ? "user" : "dim";
  const mark = theme.style("accent", from === "person" ? "› " : "» ");
  const shown = clipText(text, opened);
  const lines = wrap(screenText(shown.text), width - 2).map((line) => theme.style(style, line));
  const folded = opened ? lines : lines.slice(0, foldedLines * 2);
  const left = lines.length - folded.length;
  if (left > 0 || shown.left > 0) {
    folded.push(theme.style("dim", `… ${sizeText(Buffer.byteLength(text))} in total`));
  }
  return [...folded.map((line, index) => `${index === 0 ? mark : "  "}${line}`), ""];
}

function answerLines(
  { text, cut }: Of<"answer">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const splitter = createBlockSplitter();
  const painter = createPartPainter(theme);
  const shown = clipText(text, opened);
  const parts = [...splitter.push(screenText(shown.text)), ...splitter.end()];
  const lines = parts.flatMap((part) => painter.finished(part)(width));
  if (shown.left > 0) lines.push(theme.style("dim", `… ${shown.left} more characters`));
  if (cut !== undefined) {
    lines.push(theme.style("warning", `(${cut === "error" ? "broken off" : "interrupted"})`));
  }
  return lines;
}

function thoughtLines(
  { text, ms }: Of<"thought">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const time = ms === undefined ? "" : ` for ${timeText(ms)}`;
  const head = theme.style("dim", `∴ thought${time}, ${sizeText(Buffer.byteLength(text))}`);
  if (!opened) return [`${head}${theme.style("dim", " · Ctrl+O opens")}`, ""];
  const body = wrap(screenText(clipText(text, true).text), width - 2);
  return [head, ...body.map((line) => `  ${theme.style("reasoning", line)}`), ""];
}

function callLines(item: CallItem, width: number, options: DrawOptions): readonly string[] {
  const { theme, opened, rawCalls } = options;
  const head = callHead(item, width, theme);
  if (rawCalls) return [head, ...rawLines(item, width, theme)];
  if (!opened) {
    const plan =
      item.plan === undefined ? [] : answerLines({ kind: "answer", text: item.plan }, width, options);
    return [
      head,
      ...plan,
      ...failureLines(item, width, theme),
      ...diffLines(item, width, theme, foldedLines),
    ];
  }
  return [head, ...openedLines(item, width - 2, theme).map((line) => `  ${line}`), ""];
}

function openedLines(
  { arguments: given, diff = "", result }: CallItem,
  width: number,
  theme: Theme,
): readonly string[] {
  const args = typeof given === "string" ? parsed(given) : given;
  const text = typeof args === "string" ? args : jsonBeginning(args, maxOpenedChars, 2);
  const left = diff.length - maxOpenedChars;
  const notes = (result?.notes ?? []).map((note) => theme.style("warning", `note: ${screenText(note)}`));
  return [
    ...wrap(judgedText(text.slice(0, maxOpenedChars)), width).map((line) =>
      theme.style("tool-arguments", line),
    ),
    ...(text.length > maxOpenedChars ? [theme.style("dim", "… more arguments")] : []),
    ...(diff === "" ? [] : drawDiff(judgedDiff(diff.slice(0, maxOpenedChars)), width, theme)),
    ...(left > 0 ? [theme.style("dim", `… ${left} more characters of the diff`)] : []),
    ...notes.flatMap((note) => wrap(note, width)),
    ...(result?.error_message ? wrap(theme.style("error", screenText(result.error_message)), width) : []),
    ...(result?.data ? wrap(screenText(result.data), width) : []),
  ];
}

/** Returns why a call failed, at most three lines. The error message of a denial begins with the denial. */
function failureLines({ result }: CallItem, width: number, theme: Theme): readonly string[] {
  if (result === undefined || result.success) return [];
  const message = judgedText((result.error_message ?? "").slice(0, 1_000));
  const lines = wrap(message, width - 4);
  const shown = lines.slice(0, 3).map((line) => theme.style("dim", `    ${line}`));
  if (lines.length > 3) shown.push(theme.style("dim", "    … Ctrl+O opens"));
  return shown;
}

function diffLines({ diff, result }: CallItem, width: number, theme: Theme, most: number): readonly string[] {
  if (diff === undefined || result?.success !== true) return [];
  const lines = drawDiff(judgedDiff(diff.slice(0, 20_000)), width - 4, theme);
  const shown = lines.slice(0, most).map((line) => `    ${line}`);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, theme.style("dim", `    … ${left} more lines · Ctrl+O opens`)] : shown;
}

function rawLines(item: CallItem, width: number, theme: Theme): readonly string[] {
  const call = { id: item.callId, name: item.toolName, arguments: item.arguments };
  const shown = item.result === undefined ? [call] : [call, item.result];
  return shown.flatMap((value) =>
    wrap(judgedText(jsonBeginning(value, 20_000)), width - 4).map(
      (line) => `    ${theme.style("dim", line)}`,
    ),
  );
}

/** Returns the one-line summary of a call: `✓ bash npm test · 12 lines, 4.1 KB · 1.2 s` */
export function callHead(item: CallItem, width: number, theme: Theme): string {
  const { result } = item;
  const mark =
    result === undefined
      ? theme.style("accent", "•")
      : result.success
        ? theme.style("ok", "✓")
        : theme.style("error", "✗");
  const tool = clip(item.toolName, 100);
  const name = theme.style("tool-name", judgedLine(tool));
  const after = result === undefined ? "" : resultText(result, theme);
  const room = Math.max(10, width - tool.length - 4 - plainLength(after));
  // The plan is drawn in full: below the call, or in the question.
  const summary = item.plan === undefined ? clip(argumentsSummary(item.arguments), room) : "";
  return `${mark} ${name} ${theme.style("tool-arguments", summary)}${after}`;
}

function resultText(result: NonNullable<CallItem["result"]>, theme: Theme): string {
  const { execution_time_ms: ms, data_size_bytes: bytes } = result.metadata;
  if (!result.success) return ` ${theme.style("error", result.error_type)}`;
  const lines = countLines(result.data ?? "");
  const size = bytes === 0 ? "" : ` · ${lines} line${lines === 1 ? "" : "s"}, ${sizeText(bytes)}`;
  return theme.style("dim", `${size} · ${timeText(ms)}`);
}

/** Returns the values on one line: first the main argument, such as the command or path, then `name=value` for the others. */
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

/** Parses arguments that an API sent as JSON text. Returns the text itself when it is not a JSON object or too long. */
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

function noticeLines(
  { level, text }: Of<"notice">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const style: StyleName = level === "info" ? "notice" : level;
  const shown = clipText(text, opened);
  const lines = wrap(screenText(shown.text), width - 2).map((line, index) =>
    theme.style(style, `${index === 0 ? (level === "info" ? "·" : "!") : " "} ${line}`),
  );
  return shown.left === 0 ? lines : [...lines, theme.style("dim", `… ${shown.left} more characters`)];
}

function commandLines(item: Of<"command">, width: number, { theme, opened }: DrawOptions): readonly string[] {
  const code = item.exitCode === 0 ? "" : theme.style("error", ` exit ${item.exitCode ?? "?"}`);
  const head = `${theme.style("accent", "!")} ${theme.style("tool-name", screenLine(item.command))}${code}`;
  const lines = wrap(screenText(clipText(item.output, opened).text), width - 2);
  const shown = opened ? lines : lines.slice(0, foldedLines * 3);
  const left = lines.length - shown.length;
  if (left > 0) shown.push(theme.style("dim", `… ${left} more lines · Ctrl+O opens`));
  return [head, ...shown.map((line) => `  ${line}`), ""];
}

/** Cuts a text to a length that is quick to wrap; `left` counts the UTF-16 units cut off. */
function clipText(text: string, opened: boolean): { readonly text: string; readonly left: number } {
  const most = opened ? 512 * 1024 : 16 * 1024;
  return text.length <= most ? { text, left: 0 } : { text: text.slice(0, most), left: text.length - most };
}

function wrap(text: string, width: number): string[] {
  const trimmed = text.replace(/\n+$/, "");
  return trimmed
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(8, width))));
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}

function countLines(text: string): number {
  let count = text === "" ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}

function plainLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of styles take no columns.
  return text.replace(/\u001b\[[\d;]*m/g, "").length;
}
