/** Draws one item of the transcript, folded or opened. */
import { countText, sizeText, timeText } from "@localharness/protocol";
import { createPartPainter } from "../markdown/draw-part.ts";
import { createBlockSplitter } from "../markdown/split-blocks.ts";
import { screenLine, screenText } from "../plain-text.ts";
import type { StyleName, Theme } from "../theme/theme.ts";
import { callLines } from "./draw-call.ts";
import type { DrawOptions } from "./draw-options.ts";
import type { DrawnItem, DrawnItemOf } from "./item.ts";
import { countLines, wrapRows, wrapText } from "./wrap-text.ts";

export function drawItem(item: DrawnItem, width: number, options: DrawOptions): readonly string[] {
  switch (item.kind) {
    case "user":
      return userLines(item, width, options);
    case "answer":
      return answerLines(item, width, options);
    case "thought":
      return thoughtLines(item, width, options);
    case "call":
      return [...callLines(item, width, options), ...planLines(item, width, options)];
    case "notice":
      return noticeLines(item, width, options);
    case "unreadable":
      return noticeLines({ level: "warning", text: unreadableText(item) }, width, options);
    case "command":
      return commandLines(item, width, options);
    case "question":
    case "end":
      return [];
  }
}

const foldedLines = 12;

function userLines(
  { text, shown: typed, from, path = "" }: DrawnItemOf<"user">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  if (from === "file" && !opened) return [fileLine(path, text, theme), ""];
  if (from === "harness") return noteLines(text, width, { theme, opened });
  const style: StyleName = from === "person" ? "user" : "dim";
  const mark = theme.style("accent", from === "person" ? "› " : "@ ");
  const shown = clipText(opened ? text : (typed ?? text), opened);
  const lines = wrapText(screenText(shown.text), width - 2).map((line) => theme.style(style, line));
  const folded = opened ? lines : lines.slice(0, foldedLines * 2);
  const left = lines.length - folded.length;
  if (left > 0 || shown.left > 0) {
    folded.push(theme.style("dim", `… ${sizeText(Buffer.byteLength(text))} in total`));
  }
  if (typed !== undefined && !opened) {
    folded.push(theme.style("dim", "with the command above · Ctrl+O opens"));
  }
  return [...folded.map((line, index) => `${index === 0 ? mark : "  "}${line}`), ""];
}

/** Returns what the program told the model: the beginning on one line, or, if opened, all of it. */
function noteLines(
  text: string,
  width: number,
  { theme, opened }: Pick<DrawOptions, "theme" | "opened">,
): readonly string[] {
  const whole = `note to the model: ${screenText(clipText(text, opened).text)}`;
  const lines = wrapText(opened ? whole : whole.replace(/\s+/g, " "), width - (opened ? 2 : 3));
  const shown = opened || lines.length === 1 ? lines : [`${lines[0] ?? ""}…`];
  return shown.map((line, index) => theme.style("dim", `${index === 0 ? "·" : " "} ${line}`));
}

/** Returns the line for a file that is attached to a message. */
function fileLine(path: string, text: string, theme: Theme): string {
  const lines = countLines(text) - 1;
  const size = `${countText(lines, "line")}, ${sizeText(Buffer.byteLength(text))}`;
  return `${theme.style("accent", "@")} ${screenLine(path)}${theme.style("dim", ` attached · ${size} · Ctrl+O opens`)}`;
}

/** Returns the lines of the plan that a call presents; none if the call is opened or drawn raw. */
function planLines({ plan }: DrawnItemOf<"call">, width: number, options: DrawOptions): readonly string[] {
  if (plan === undefined || options.opened || options.rawCalls) return [];
  return answerLines({ text: plan }, width, options);
}

function answerLines(
  { text, partial }: Pick<DrawnItemOf<"answer">, "text" | "partial">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const splitter = createBlockSplitter();
  const painter = createPartPainter(theme);
  const shown = clipText(text, opened);
  const parts = [...splitter.push(screenText(shown.text)), ...splitter.end()];
  const lines = parts.flatMap((part) => painter.finished(part)(width));
  if (shown.left > 0) lines.push(theme.style("dim", `… ${countText(shown.left, "more character")}`));
  if (partial !== undefined) {
    lines.push(theme.style("warning", `(${partial === "error" ? "broken off" : "interrupted"})`));
  }
  return lines;
}

function thoughtLines(
  { text, ms }: DrawnItemOf<"thought">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const time = ms === undefined ? "" : ` for ${timeText(ms)}`;
  const head = theme.style("dim", `∴ thought${time}, ${sizeText(Buffer.byteLength(text))}`);
  if (!opened) return [`${head}${theme.style("dim", " · Ctrl+O opens")}`, ""];
  const body = wrapText(screenText(clipText(text, true).text), width - 2);
  return [head, ...body.map((line) => `  ${theme.style("reasoning", line)}`), ""];
}

function noticeLines(
  { level, text }: Pick<DrawnItemOf<"notice">, "level" | "text">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const style: StyleName = level === "info" ? "notice" : level;
  const shown = clipText(text, opened);
  const lines = wrapRows(screenText(shown.text), width - 2).map((line, index) =>
    theme.style(style, `${index === 0 ? (level === "info" ? "·" : "!") : " "} ${line}`),
  );
  return shown.left === 0
    ? lines
    : [...lines, theme.style("dim", `… ${countText(shown.left, "more character")}`)];
}

function commandLines(
  item: DrawnItemOf<"command">,
  width: number,
  { theme, opened }: DrawOptions,
): readonly string[] {
  const code = item.exitCode === 0 ? "" : theme.style("error", ` exit ${item.exitCode ?? "?"}`);
  const head = `${theme.style("accent", "!")} ${theme.style("tool-name", screenLine(item.command))}${code}`;
  const lines = wrapText(screenText(clipText(item.output, opened).text), width - 2);
  const shown = opened ? lines : lines.slice(0, foldedLines * 3);
  const left = lines.length - shown.length;
  if (left > 0) shown.push(theme.style("dim", `… ${countText(left, "more line")} · Ctrl+O opens`));
  return [head, ...shown.map((line) => `  ${line}`), ""];
}

/** Returns the warning about a call of the model that could not be read. */
export function unreadableText({ reason, message }: DrawnItemOf<"unreadable">): string {
  return `unreadable tool call (${reason}): ${message.slice(0, 300)}`;
}

/** Cuts a text to a length that wraps quickly. `left` is the number of UTF-16 units cut off. */
function clipText(text: string, opened: boolean): { readonly text: string; readonly left: number } {
  const most = opened ? 512 * 1024 : 16 * 1024;
  return text.length <= most ? { text, left: 0 } : { text: text.slice(0, most), left: text.length - most };
}
