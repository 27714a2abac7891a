/**
 * Wraps lines at a width. Short text is wrapped by pi-tui, which takes more than a second for each megabyte; long lines are
 * wrapped here, in some milliseconds for each.
 */
import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** The minimum number of characters of a line that is wrapped here. */
const minLongChars = 4_096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a style begins with Esc.
const styled = /^((?:\u001b\[[\d;]*m)*)([^\u001b]*)((?:\u001b\[[\d;]*m)*)$/;
const plain = /^[\x20-\x7e]*$/;
/** Matches a mark that never makes the character before it wider. */
const accent = /[\u0300-\u036f]/;

/** Returns the rows of the text, at most `width` columns wide. Styles go on in the next row. */
export function wrapWords(text: string, width: number): string[] {
  if (text.length < minLongChars) return wrapTextWithAnsi(text, width);
  const lines = text.split("\n");
  const [only] = lines;
  if (only === undefined || lines.length > 1) {
    // Styles may go on over the ends of lines, which only pi-tui follows.
    return text.includes("\u001b")
      ? wrapTextWithAnsi(text, width)
      : lines.flatMap((line) => wrapWords(line, width));
  }
  const [, open = "", body, close = ""] = styled.exec(only) ?? [];
  if (body === undefined) return wrapTextWithAnsi(text, width);
  return rowsOf(body, Math.max(1, width)).map((row) => `${open}${row}${close}`);
}

function rowsOf(line: string, width: number): string[] {
  const rows: string[] = [];
  let at = 0;
  while (at < line.length) {
    const end = endOfRow(line, at, width);
    if (end >= line.length) {
      rows.push(line.slice(at));
      break;
    }
    // A word that does not fit goes to the next row, unless it is longer than a row.
    const blank = line.slice(at, end + 1).lastIndexOf(" ");
    const cut = blank > 0 ? at + blank : end;
    rows.push(line.slice(at, cut).trimEnd());
    at = blank > 0 ? cut + 1 : cut;
  }
  return rows;
}

/** Returns the offset after the last character that fits into a row that begins at `at`. */
function endOfRow(line: string, at: number, width: number): number {
  if (plain.test(line.slice(at, at + width))) {
    return isWidthless(line, at + width) ? Math.max(at + 1, at + width - 1) : at + width;
  }
  let end = at;
  for (let columns = 0; end < line.length; ) {
    const size = (line.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    const wide = widthAt(line, end, size);
    if (wide === 0 && !accent.test(line.charAt(end))) return endOfClusters(line, at, width);
    columns += wide;
    if (columns > width && end > at) break;
    end += size;
  }
  return isWidthless(line, end) ? endOfClusters(line, at, width) : end;
}

/**
 * Returns the same offset for a row in which characters join, such as an emoji with the sign that gives it its colours: together
 * they may be wider than each by itself.
 */
function endOfClusters(line: string, at: number, width: number): number {
  clusters ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let end = at;
  let columns = 0;
  for (const { segment, index } of clusters.segment(line.slice(at, at + maxRowChars))) {
    columns += visibleWidth(segment);
    if (columns > width && index > 0) break;
    end = at + index + segment.length;
  }
  return end;
}

/** The maximum number of characters of a row in which characters join. */
const maxRowChars = 4_096;
let clusters: Intl.Segmenter | undefined;

/** Returns true if the character belongs to the one before it, such as a combining accent. */
function isWidthless(line: string, at: number): boolean {
  return at < line.length && line.charCodeAt(at) > 0x7e && widthAt(line, at, 1) === 0;
}

/** The widths of characters, by their code, plus one; zero where a width is not known yet. */
let widths: Uint8Array | undefined;

function widthAt(line: string, at: number, size: number): number {
  if (size === 2) return 2;
  const code = line.charCodeAt(at);
  if (code >= 0x20 && code < 0x7f) return 1;
  widths ??= new Uint8Array(0x10000);
  const known = widths[code] ?? 0;
  if (known > 0) return known - 1;
  const width = visibleWidth(line.charAt(at));
  widths[code] = width + 1;
  return width;
}
