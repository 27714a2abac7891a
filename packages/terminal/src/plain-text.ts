/** The door of the screen: nothing from models, tools, files or servers is drawn but through one of these. */
import { judgedLine, judgedText, plainText } from "@localharness/protocol";

export { judgedLine, judgedText };

const manyMarks = /(\p{M}{8})\p{M}+/gu;
const plain = /^[\n\x20-\x7e]*$/;

/** For reading: no escape sequence, no tab, no pile of combining marks; line feeds stay. */
export function screenText(text: string): string {
  if (plain.test(text)) return text;
  return plainText(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ")).replace(manyMarks, "$1");
}

/** As `screenText`, on one line. */
export function screenLine(text: string): string {
  return screenText(text).replaceAll("\n", " ");
}

/** A key as it may go to what is in front: what is a sequence of keys stays, any other text is as for reading. */
export function typedText(data: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are told from characters by it.
  return /[\u0000-\u001f\u007f]/.test(data) ? data : screenText(data);
}

/** A paste as it may stand in a line or an editor. A terminal sends a carriage return for each line end. */
export function pastedText(text: string): string {
  return screenText(text.replace(/\r\n?/g, "\n"));
}
