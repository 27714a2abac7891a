/** Cleans text for the screen. Text from models, tools, files and servers is drawn only after one of these functions. */
import { joinedLine, judgedLine, judgedText, plainText } from "@localharness/protocol";

export { joinedLine, judgedLine, judgedText };

const manyMarks = /(\p{M}{8})\p{M}+/gu;
const plain = /^[\n\x20-\x7e]*$/;

/**
 * Removes control characters, so that no escape sequence works, replaces tabs and limits combining marks. Keeps line feeds.
 */
export function screenText(text: string): string {
  if (plain.test(text)) return text;
  return plainText(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ")).replace(manyMarks, "$1");
}

/** Cleans a text as `screenText` does, and joins its lines with spaces. */
export function screenLine(text: string): string {
  return screenText(text).replaceAll("\n", " ");
}

/**
 * Returns a text for the clipboard without control characters, so that no escape sequence works. Tabs and line feeds stay.
 */
export function copiedText(text: string): string {
  return plainText(text.replaceAll("\r\n", "\n"));
}

/**
 * Returns key input for a component. Data with control characters is a key sequence and stays as it is; other text is
 * cleaned.
 */
export function typedText(data: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish keys from text.
  return /[\u0000-\u001f\u007f]/.test(data) ? data : screenText(data);
}

/** Returns a cleaned paste with LF as its line ends. Terminals send a CR for each line end. */
export function pastedText(text: string): string {
  return screenText(text.replace(/\r\n?/g, "\n"));
}
