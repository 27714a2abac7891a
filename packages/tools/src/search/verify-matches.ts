/**
 * Looks each match up again through the workspace's door. The search program opens files by name, so someone who
 * exchanges a folder for a link at the right moment has it read files outside; what it says of them stops here.
 */
import { decodeText } from "../files/decode-text.ts";
import { splitLines } from "../files/lines.ts";
import type { OpenFile } from "../workspace/handles.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { foundText, type Match } from "./match.ts";

/** Files in two-byte encodings are read whole for this. */
const longestDecoded = 10 * 1024 * 1024;

/** The matches whose lines stand in files of the workspace, in the same order. */
export async function verifyMatches(
  workspace: Workspace,
  matches: readonly Match[],
): Promise<readonly Match[]> {
  const verified: Match[] = [];
  for (const group of Map.groupBy(matches, (match) => match.path).values()) {
    verified.push(...(await verifyFile(workspace, group)));
  }
  return verified;
}

/** True when `path` is physical and there is something: a listing by names may have gone through a link. */
export function isThere(workspace: Workspace, path: string): boolean {
  const place = workspace.locateEntry(path);
  return place.ok && place.value.path === path && place.value.stats !== undefined;
}

async function verifyFile(workspace: Workspace, matches: readonly Match[]): Promise<readonly Match[]> {
  const path = matches[0]?.path ?? "";
  const opened = workspace.openFile(path);
  if (!opened.ok) {
    return [];
  }
  using file = opened.value;
  if (file.path !== path) {
    return [];
  }
  try {
    const lines = await readLines(file, new Set(matches.map((match) => match.line)));
    return matches.filter((match) => lines.get(match.line)?.startsWith(foundText(match)) === true);
  } catch {
    return [];
  }
}

/** The lines with these numbers, decoded. */
async function readLines(file: OpenFile, wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  const start = await file.read(3);
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) {
    const text = decodeText(await file.read(longestDecoded))?.text ?? "";
    return new Map(splitLines(text).map((line, index) => [index + 1, line]));
  }
  const mark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
  return await readByteLines(file, wanted, mark);
}

async function readByteLines(
  file: OpenFile,
  wanted: ReadonlySet<number>,
  mark: number,
): Promise<ReadonlyMap<number, string>> {
  const lines = new Map<number, string>();
  const last = Math.max(...wanted);
  let number = 1;
  let skip = mark;
  let open: Buffer = Buffer.alloc(0);
  const keep = (bytes: Buffer) => {
    // Only the beginning of a line is ever compared.
    open = open.length < 4096 ? Buffer.concat([open, bytes.subarray(0, 4096)]) : open;
  };
  for await (const piece of file.pieces()) {
    let from = skip;
    skip = 0;
    for (let end = piece.indexOf(10, from); end !== -1 && number <= last; end = piece.indexOf(10, from)) {
      if (wanted.has(number)) {
        keep(piece.subarray(from, end));
        lines.set(number, open.toString("utf8"));
        open = Buffer.alloc(0);
      }
      number += 1;
      from = end + 1;
    }
    if (number > last) {
      return lines;
    }
    if (wanted.has(number)) {
      keep(piece.subarray(from));
    }
  }
  if (wanted.has(number)) {
    lines.set(number, open.toString("utf8"));
  }
  return lines;
}
