/**
 * Decodes bytes to text, and encodes text to bytes, without loss. Recognises the encoding by the byte order mark, or by trying
 * UTF-8.
 */
import { isUtf8 } from "node:buffer";
import { decodeWindows1252, encodeWindows1252 } from "./windows-1252.ts";

/** `latin-1` and `windows-1252` are read and written alike: a text in Windows-1252 has a byte from 80 to 9F. */
export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "latin-1" | "windows-1252";

export interface DecodedText {
  /** The text without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
const littleEndianMark = Buffer.from([0xff, 0xfe]);
const bigEndianMark = Buffer.from([0xfe, 0xff]);
const sniffedBytes = 8192;

/** Returns the decoded text; undefined for bytes that are not text. `encodeText` restores every text byte for byte. */
export function decodeText(bytes: Buffer): DecodedText | undefined {
  if (startsWith(bytes, utf8Mark) && isUtf8(bytes)) {
    return { text: bytes.toString("utf8", 3), encoding: "utf-8-bom" };
  }
  if (bytes.length % 2 === 0 && startsWith(bytes, littleEndianMark)) {
    return { text: bytes.toString("utf16le", 2), encoding: "utf-16le" };
  }
  if (bytes.length % 2 === 0 && startsWith(bytes, bigEndianMark)) {
    return { text: Buffer.from(bytes).swap16().toString("utf16le", 2), encoding: "utf-16be" };
  }
  if (looksBinary(bytes)) return undefined;
  return isUtf8(bytes) ? { text: bytes.toString("utf8"), encoding: "utf-8" } : decodeWindows1252(bytes);
}

/** Returns the bytes of the text; undefined if the encoding lacks one of its characters. */
export function encodeText(text: string, encoding: Encoding): Buffer | undefined {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text, "utf8");
    case "utf-8-bom":
      return Buffer.concat([utf8Mark, Buffer.from(text, "utf8")]);
    case "utf-16le":
      return Buffer.concat([littleEndianMark, Buffer.from(text, "utf16le")]);
    case "utf-16be":
      return Buffer.concat([bigEndianMark, Buffer.from(text, "utf16le").swap16()]);
    case "latin-1":
    case "windows-1252":
      return encodeWindows1252(text);
  }
}

/** Returns true if the first 8 KiB contain a NUL or many other control characters. */
function looksBinary(bytes: Buffer): boolean {
  const head = bytes.subarray(0, sniffedBytes);
  if (head.includes(0)) return true;
  let controls = 0;
  for (const byte of head) {
    // Tab, line feed, form feed, carriage return, backspace and escape occur in text.
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 8 && byte !== 27) {
      controls += 1;
    }
  }
  return controls * 10 > head.length;
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}
