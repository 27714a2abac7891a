/** Draws the parts of an answer. pi-tui draws text as Markdown; code is drawn line by line with syntax colours. */
import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { isHardMarkdown } from "@localharness/protocol";
import type { Frozen } from "../screen/frozen-screen.ts";
import type { StyleName, Theme } from "../theme/theme.ts";
import { wrapWords } from "../transcript/wrap-words.ts";
import { createHighlighter, type LineHighlighter } from "./highlight.ts";
import type { AnswerPart } from "./split-blocks.ts";

export interface PartPainter {
  /**
   * Returns the function that draws a finished part. The parts must come in order, because strings and comments may span
   * several parts of a code block.
   */
  finished(part: AnswerPart): Frozen;
  /** Draws a part that may still change. Keeps no state. */
  unfinished(part: AnswerPart, width: number): readonly string[];
}

const indent = "  ";

export function createPartPainter(theme: Theme): PartPainter {
  const markdown = markdownTheme(theme);
  let highlight: LineHighlighter | undefined;
  return {
    finished(part) {
      if (part.kind === "text") {
        const draw = textPainter(part.text, markdown);
        const end = part.goesOn ? [] : [""];
        return (width) => [...draw(width), ...end];
      }
      if (part.opens) highlight = createHighlighter(part.language, theme);
      const paint = highlight ?? createHighlighter(part.language, theme);
      const lines = part.lines.map(paint);
      const { opens, closes, language } = part;
      return (width) => codeLines(lines, { opens, closes, language }, width, theme);
    },
    unfinished(part, width) {
      if (part.kind === "text") return textPainter(part.text, markdown)(width);
      const { opens, language, lines } = part;
      return codeLines(lines, { opens, closes: false, language }, width, theme);
    },
  };
}

const markdownOptions = { preserveOrderedListMarkers: true, renderLatex: false } as const;

/**
 * Returns a function that draws Markdown. Text that is too costly to parse, or that fails to parse, is drawn as plain
 * text.
 */
function textPainter(text: string, theme: MarkdownTheme): Frozen {
  const asWritten: Frozen = (width) => (text.trim() === "" ? [] : wrapWords(text, width));
  if (isHardMarkdown(text)) return asWritten;
  const drawn = new Markdown(text, 0, 0, theme, undefined, markdownOptions);
  return (width) => {
    try {
      return drawn.render(width).map((line) => line.trimEnd());
    } catch {
      return asWritten(width);
    }
  };
}

interface CodeEdges {
  readonly opens: boolean;
  readonly closes: boolean;
  readonly language: string;
}

function codeLines(
  lines: readonly string[],
  { opens, closes, language }: CodeEdges,
  width: number,
  theme: Theme,
): readonly string[] {
  const room = Math.max(8, width - indent.length);
  const drawn = lines.flatMap((line) => (line === "" ? [""] : wrapWords(line, room)));
  return [
    ...(opens ? [theme.style("code-border", `${indent}╶─ ${language === "" ? "code" : language}`)] : []),
    ...drawn.map((line) => (line === "" ? "" : `${indent}${line}`)),
    ...(closes ? [""] : []),
  ];
}

function markdownTheme(theme: Theme): MarkdownTheme {
  const style = (name: StyleName) => (text: string) => theme.style(name, text);
  return {
    heading: style("heading"),
    link: style("link"),
    linkUrl: style("link-url"),
    code: style("code"),
    codeBlock: style("code"),
    codeBlockBorder: style("code-border"),
    quote: style("quote"),
    quoteBorder: style("code-border"),
    hr: style("rule"),
    listBullet: style("bullet"),
    bold: style("bold"),
    italic: style("italic"),
    strikethrough: style("strike"),
    underline: style("underline"),
    highlightCode(code, language) {
      const highlight = createHighlighter(language ?? "", theme);
      return code.split("\n").map((line) => highlight(line));
    },
  };
}
