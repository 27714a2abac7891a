/** The files and folders that a command names, and what speaks for asking about them. */
import type { Concern, TouchedPath } from "@localharness/engine";
import { protectedConcern } from "../workspace/examine-paths.ts";
import { protectedName } from "../workspace/protected.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { locateWord, mayExist } from "./locate.ts";
import { looksOnly } from "./read-only-programs.ts";
import { type WrittenWord, writtenWords } from "./written-words.ts";

export interface NamedCalls {
  /** Of all calls, also the hidden ones. */
  readonly calls: readonly (readonly string[])[];
  /** Files that redirections write to. */
  readonly writesTo: readonly string[];
  /** Folders in which it may run, relative to the workspace; the first is where it starts. */
  readonly folders: readonly string[];
}

export interface Touches {
  readonly paths: readonly TouchedPath[];
  readonly concerns: readonly Concern[];
  /** True when it names more than is looked at. */
  readonly incomplete: boolean;
}

const mostWords = 2_000;

/** A word that names something that is there counts as read, whatever the program. */
export function touchedPaths(workspace: Workspace, named: NamedCalls): Touches {
  const paths = new Map<string, TouchedPath>();
  const concerns = new Map<string, Concern>();
  const add = (path: string, access: "read" | "write", below: boolean) => {
    paths.set(`${access} ${below} ${path}`, { path, access, ...(below ? { below: true } : {}) });
  };
  const writes = writtenIn(named);
  const reads = readWords(named.calls);
  const incomplete = writes.length > mostWords || reads.length > mostWords;
  for (const folder of named.folders) {
    for (const { word, below } of writes.slice(0, mostWords)) {
      const place = locateWord(workspace, folder, word);
      if (isSink(place.path)) {
        continue;
      }
      add(place.path, "write", below);
      const name = protectedName(place.path) ?? protectedName(word);
      if (name !== undefined) {
        const concern = protectedConcern(place.path, name);
        concerns.set(concern.id, concern);
      }
    }
    for (const { word, whole } of reads.slice(0, mostWords)) {
      if (!mayExist(workspace, folder, word)) {
        continue;
      }
      const place = locateWord(workspace, folder, word);
      if (place.kind === "file" || place.kind === "folder" || (place.kind === "elsewhere" && isPath(word))) {
        add(place.path, "read", whole && place.kind !== "file");
      }
    }
  }
  return { paths: [...paths.values()], concerns: [...concerns.values()], incomplete };
}

function writtenIn({ calls, writesTo }: NamedCalls): readonly WrittenWord[] {
  return [...writesTo.map((word) => ({ word, below: false })), ...calls.flatMap(writtenWords)];
}

interface ReadWord {
  readonly word: string;
  /** Of a folder, everything below it. */
  readonly whole: boolean;
}

/** Words, and what stands after `=` in them. What looks at a folder without options reads its names only. */
function readWords(calls: NamedCalls["calls"]): readonly ReadWord[] {
  const words = new Map<string, ReadWord>();
  for (const call of calls) {
    const look = looksOnly(call);
    const whole = look === undefined ? call[0] !== "cd" : look.recursive;
    const given = look?.recursive === true && look.paths.length === 0 ? ["."] : call.slice(1);
    const values = given.flatMap((word) => /^[^=]*=(.+)$/s.exec(word)?.[1] ?? []);
    for (const word of [...given, ...values]) {
      if (/^[^-\0]/.test(word) && word.length < 4096) {
        words.set(word, { word, whole: whole || words.get(word)?.whole === true });
      }
    }
  }
  return [...words.values()];
}

/** Out of the workspace only what is written as a path counts. */
function isPath(word: string): boolean {
  return /^(?:\.\.?\/|~|\/|[^:]*\/)/.test(word);
}

function isSink(path: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path);
}
