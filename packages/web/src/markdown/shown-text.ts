/** Makes text from models, tools and files safe to show: hidden characters become visible, line ends become the same. */
import { visibleText } from "@localharness/protocol";

const ordinary = /^[\n\t\x20-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences with which programs colour their output.
const colours = /\u001b\[[\d;]*m/g;

/** Returns the text with its control and bidi characters as escapes. Tabs and line feeds stay. */
export function shownText(text: string): string {
  if (ordinary.test(text)) return text;
  return text
    .replaceAll("\r\n", "\n")
    .split("\t")
    .map((part) => visibleText(part))
    .join("\t");
}

/** Returns the output of a program as a terminal would leave it: without colours, and with the last state of each line. */
export function shownOutput(text: string): string {
  const plain = text.replace(colours, "").replaceAll("\r\n", "\n");
  const settled = plain.includes("\r") ? plain.replace(/[^\n\r]*\r(?=[^\n\r])/g, "") : plain;
  return shownText(settled.replaceAll("\r", ""));
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  rarr: "→",
  larr: "←",
  times: "×",
};

/** Replaces the numeric and the most common named character references of HTML, and returns `shownText` of the result. */
export function decodedText(text: string): string {
  if (!text.includes("&")) return shownText(text);
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, ten, sixteen, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = ten === undefined ? Number.parseInt(sixteen, 16) : Number(ten);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
  return shownText(decoded);
}
