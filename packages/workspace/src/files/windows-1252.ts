/**
 * Decodes and encodes Windows-1252. It is Latin-1 with other characters at the bytes 80 to 9F, of which five are undefined: these
 * become the control characters with the same numbers, so that every byte comes back as it was.
 */

/** The characters of the bytes 80 to 9F, in order. */
const upper = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const byteOf = new Map([...upper].map((character, index) => [character, String.fromCharCode(0x80 + index)]));

/** Returns the text of the bytes, and `latin-1` if no byte tells it from Windows-1252. */
export function decodeWindows1252(bytes: Buffer): {
  readonly text: string;
  readonly encoding: "latin-1" | "windows-1252";
} {
  const plain = bytes.toString("latin1");
  const text = plain.replaceAll(/[\x80-\x9f]/g, (byte) => upper[byte.charCodeAt(0) - 0x80] ?? byte);
  return { text, encoding: text === plain ? "latin-1" : "windows-1252" };
}

/** Returns the bytes of the text; undefined if Windows-1252 lacks one of its characters. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const plain = text.replaceAll(/[^\0-\x7f\xa0-\xff]/gu, (character) => byteOf.get(character) ?? "\u0100");
  return plain.includes("\u0100") ? undefined : Buffer.from(plain, "latin1");
}
