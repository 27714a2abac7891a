/**
 * Verifies each match by reading it again through the workspace. Ripgrep opens files by name, so an attacker who replaces
 * a folder by a link at the right moment can make it read files outside; such matches are dropped here.
 */
import { decodeText } from "@localharness/workspace/files/decode-text";
import { splitLines } from "@localharness/workspace/files/lines";
import { decodeWindows1252 } from "@localharness/workspace/files/windows-1252";
import type { OpenFile } from "@localharness/workspace/paths/handles";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { foundText, type SearchMatch } from "./match.ts";

/** The maximum number of bytes that are read of a file in UTF-16. Later matches are dropped. */
const maxDecodedBytes = 10 * 1024 * 1024;

/**
 * Returns the matches that are in a file of the workspace as ripgrep printed them, grouped by file. It printed the files in
 * `legacy` from Windows-1252.
 */
export async function verifyMatches(
  workspace: Workspace,
  matches: readonly SearchMatch[],
  legacy: ReadonlySet<string> = new Set(),
): Promise<readonly SearchMatch[]> {
  const verified: SearchMatch[] = [];
  for (const [path, group] of Map.groupBy(matches, (match) => match.path)) {
    verified.push(...(await verifyFile(workspace, group, legacy.has(path) ? fromWindows1252 : fromUtf8)));
  }
  return verified;
}

type Decode = (bytes: Buffer) => string;

const fromUtf8: Decode = (bytes) => bytes.toString("utf8");
const fromWindows1252: Decode = (bytes) => decodeWindows1252(bytes).text;

/** Returns true if `path` exists and has no link in it. A listing by names may have followed a link. */
export function isThere(workspace: Workspace, path: string): boolean {
  const place = workspace.locateEntry(path);
  return place.ok && place.value.path === path && place.value.stats !== undefined;
}

async function verifyFile(
  workspace: Workspace,
  matches: readonly SearchMatch[],
  decode: Decode,
): Promise<readonly SearchMatch[]> {
  const path = matches[0]?.path ?? "";
  const opened = workspace.openFile(path);
  if (!opened.ok) return [];
  using file = opened.value;
  if (file.path !== path) return [];
  try {
    const lines = await readLines(file, new Set(matches.map((match) => match.line)), decode);
    return matches.filter((match) => lines.get(match.line)?.startsWith(foundText(match)) === true);
  } catch {
    return [];
  }
}

/** Returns the decoded lines with these numbers. */
async function readLines(
  file: OpenFile,
  wanted: ReadonlySet<number>,
  decode: Decode,
): Promise<ReadonlyMap<number, string>> {
  const start = await file.read(3);
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) {
    const text = decodeText(await file.read(maxDecodedBytes))?.text ?? "";
    return new Map(splitLines(text).map((line, index) => [index + 1, line]));
  }
  const mark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
  return await readByteLines(file, wanted, mark, decode);
}

async function readByteLines(
  file: OpenFile,
  wanted: ReadonlySet<number>,
  mark: number,
  decode: Decode,
): Promise<ReadonlyMap<number, string>> {
  const lines = new Map<number, string>();
  const last = Math.max(...wanted);
  let number = 1;
  let skip = mark;
  let open: Buffer = Buffer.alloc(0);
  const keep = (bytes: Buffer) => {
    // Only the beginning of a line is compared.
    open = open.length < 4096 ? Buffer.concat([open, bytes.subarray(0, 4096)]) : open;
  };
  for await (const piece of file.pieces()) {
    let from = skip;
    skip = 0;
    for (let end = piece.indexOf(10, from); end !== -1 && number <= last; end = piece.indexOf(10, from)) {
      if (wanted.has(number)) {
        keep(piece.subarray(from, end));
        lines.set(number, decode(open));
        open = Buffer.alloc(0);
      }
      number += 1;
      from = end + 1;
    }
    if (number > last) return lines;
    if (wanted.has(number)) {
      keep(piece.subarray(from));
    }
  }
  if (wanted.has(number)) {
    lines.set(number, decode(open));
  }
  return lines;
}
