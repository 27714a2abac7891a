/**
 * Captures a program's output in bounded memory: the beginning, the end, and the lines between that look like errors. A long
 * output also goes to a file.
 */

import { writeSync } from "node:fs";
import { countText } from "@localharness/protocol";
import { createErrorLines, type ErrorLine, type ErrorLines, lineText } from "./error-lines.ts";
import { createLastBytes } from "./last-bytes.ts";
import { closeOutput, type OutputFile, type OutputFolder } from "./output-folder.ts";

export interface CapturedOutput {
  /** Readable text; a line in brackets replaces the omitted bytes and gives their number. */
  readonly text: string;
  readonly totalBytes: number;
  /** The path of a file with the whole output; undefined if the output is within the limit, or no file could be written. */
  readonly path: string | undefined;
  /** True if the file has only the beginning or is missing, because of its size limit or because it could not be written. */
  readonly pathIncomplete: boolean;
}

export interface OutputCapture {
  /** Copies the chunk and frees its memory; the caller must not read it afterwards. */
  push(chunk: Buffer): void;
  /** Returns the last line so far, for progress. */
  lastLine(): string;
  finish(): CapturedOutput;
}

/** The maximum distance from a cut to a line end to which the cut is moved. */
const nearBytes = 300;

/** The share of the beginning and of the end that makes room for lines between them that look like errors. */
const errorShare = 0.2;

/** Maximum size of a file with a whole output. */
const maxOutputBytes = 256 * 1024 * 1024;

export interface CaptureOptions {
  /** True to treat NUL bytes as text instead of as a sign of binary output. */
  readonly keepsNul?: boolean;
}

/** Returns a capture. `limit` is the maximum number of bytes of output that are kept in memory and given to the model. */
export function createOutputCapture(
  limit: number,
  folder: Pick<OutputFolder, "create">,
  options: CaptureOptions = {},
): OutputCapture {
  const nul = options.keepsNul === true;
  const half = Math.ceil(limit / 2);
  let head = Buffer.alloc(0);
  const tail = createLastBytes(half);
  let total = 0;
  const spill = createSpill(folder);
  const errors = createErrorLines();
  const push = (chunk: Buffer) => {
    errors.push(chunk);
    if (total <= limit && total + chunk.length > limit) {
      spill.write(Buffer.concat([head, tail.read()]));
    }
    if (total + chunk.length > limit) {
      spill.write(chunk);
    }
    total += chunk.length;
    const room = half - head.length;
    const first = chunk.subarray(0, Math.max(room, 0));
    head = first.length > 0 ? Buffer.concat([head, first]) : head;
    tail.push(chunk.subarray(first.length));
    giveBack(chunk);
  };
  return {
    push,
    lastLine: () => lastLine(total > head.length ? tail.read(400) : head, nul),
    finish: () => {
      const { path, incomplete } = spill.close();
      const text =
        total <= limit
          ? readable(Buffer.concat([head, tail.read()]), nul)
          : cutMiddle({ head, tail: tail.read(), total, errors }, nul);
      return { text, totalBytes: total, path, pathIncomplete: incomplete };
    },
  };
}

/**
 * Frees the chunk's memory, because the output of a program may fill the memory faster than garbage collection frees it.
 * Keeps memory that other buffers share.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
    buffer.transfer(0);
  }
}

function createSpill(folder: Pick<OutputFolder, "create">) {
  let file: OutputFile | undefined;
  let written = 0;
  let incomplete = false;
  return {
    write: (chunk: Buffer) => {
      if (incomplete || written + chunk.length > maxOutputBytes) {
        incomplete = true;
        return;
      }
      try {
        file ??= folder.create();
        // The system may write only a part at once. On a full disk the next write then throws.
        for (let at = 0; at < chunk.length; ) at += writeSync(file.descriptor, chunk, at);
        written += chunk.length;
      } catch {
        incomplete = true;
      }
    },
    close: () => {
      if (file !== undefined) {
        closeOutput(file);
      }
      return { path: file?.path, incomplete };
    },
  };
}

interface LongOutput {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly total: number;
  readonly errors: ErrorLines;
}

/** Joins beginning, lines that look like errors, and end, with notes on the omitted bytes. Cuts at line ends if those are near. */
function cutMiddle({ head, tail, total, errors }: LongOutput, nul: boolean): string {
  const room = Math.floor(head.length * errorShare);
  const shorter = [head.subarray(0, head.length - room), tail.subarray(room)] as const;
  const between = errors.between(shorter[0].length, total - shorter[1].length, 2 * room - errorNoteBytes);
  const isText = nul || !(head.includes(0) || tail.includes(0));
  const [beginning, end] = between.length > 0 && isText ? shorter : [head, tail];
  const lastEnd = beginning.lastIndexOf(10);
  const first =
    beginning.length - lastEnd < nearBytes ? beginning.subarray(0, lastEnd + 1) : wholeCharacters(beginning);
  const nextLine = end.indexOf(10) + 1;
  const last = end.subarray(nextLine > 0 && nextLine < nearBytes ? nextLine : characterStart(end));
  const leftOut = total - first.length - last.length;
  const start = readable(first, nul);
  const lines = isText ? errorNote(between, nul) : "";
  return `${start}${start.endsWith("\n") ? "" : "\n"}[... ${countText(leftOut, "byte")} left out ...]\n${lines}${readable(last, nul)}`;
}

const errorNoteHead = "[lines between that look like errors, with their numbers:]\n";
const errorNoteEnd = "[...]\n";
const errorNoteBytes = errorNoteHead.length + errorNoteEnd.length;

function errorNote(lines: readonly ErrorLine[], nul: boolean): string {
  if (lines.length === 0) return "";
  const shown = lines.map((line) => `${readable(Buffer.from(lineText(line)), nul)}\n`).join("");
  return `${errorNoteHead}${shown}${errorNoteEnd}`;
}

/** Returns the bytes as text without escape sequences and overwritten parts of lines; of binary output only the size. */
function readable(bytes: Buffer, nul: boolean): string {
  if (!nul && bytes.includes(0)) return `[binary output, ${countText(bytes.length, "byte")} not shown]`;
  const text = bytes.toString("utf8");
  return text.includes("\u001b") || text.includes("\r") ? plain(text) : text;
}

function plain(text: string): string {
  return text.replaceAll(escapeSequence, "").split("\n").map(lastState).join("\n");
}

const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed here
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[[(][0-?]*[ -/]*[@-~]?|[@-Z\\^_=>])/g;

/** Returns the part after the last carriage return, which has overwritten the rest of the line. */
function lastState(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/** Removes the bytes of an incomplete UTF-8 character at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.subarray(0, bytes.length - back) : bytes;
    }
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

/** Returns the offset of the first complete UTF-8 character. */
function characterStart(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) {
    start += 1;
  }
  return start;
}

function lastLine(bytes: Buffer, nul: boolean): string {
  const lines = readable(bytes.subarray(-400), nul).trimEnd().split("\n");
  return (lines.at(-1) ?? "").slice(0, 160);
}
