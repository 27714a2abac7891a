/** Whether this run may take the workspace's own files as the person's: remembered, stated, asked, or no. */
import type { FlagValues } from "../arguments/parse.ts";
import { reasonOf } from "../complaints.ts";
import { type AnswerLines, askLine, type LineReading } from "../terminal/open-prompt.ts";
import type { TextOutput } from "../terminal/output.ts";
import { visibleLine } from "../terminal/plain-text.ts";
import type { TrustStore } from "./trust-file.ts";

/**
 * `full`: the folder's rules and instructions are read, tools that change things may ask. `tools`: the options of this run
 * say what tools may do, but nothing of the folder is read. `reading`: only tools that read.
 */
export type Trust = "full" | "tools" | "reading";

export type TrustAnswer = "trust" | "read" | "leave";

export interface TrustQuestion {
  /** Real path. */
  readonly workspace: string;
  readonly store: TrustStore;
  /** The options of this run. */
  readonly flags: FlagValues;
  /** Asks the person; absent when nobody can be asked. */
  readonly ask?: () => Promise<TrustAnswer>;
  /** Tells the person. */
  tell(text: string): void;
}

/** `leave` only when the person was asked and wants to. */
export async function settleTrust({
  workspace,
  store,
  flags,
  ask,
  tell,
}: TrustQuestion): Promise<Trust | "leave"> {
  if (flags.trust === true) return "full";
  const { trusted, warning } = await store.find(workspace);
  if (warning !== undefined) tell(warning);
  if (trusted === true) return "full";
  if (trusted === undefined && ask !== undefined) {
    const answer = await ask();
    if (answer === "leave") return answer;
    await store
      .set(workspace, answer === "trust")
      .catch((error: unknown) => tell(`this holds for this run only: ${reasonOf(error)}`));
    if (answer === "trust") return "full";
  } else if (saysWhatToolsMayDo(flags)) {
    return "tools";
  }
  tell(readingOnly(workspace));
  return "reading";
}

/** With these options the person has said what may happen in this run, whatever the folder holds. */
function saysWhatToolsMayDo(flags: FlagValues): boolean {
  if (flags.allow !== undefined) return true;
  return flags.answer !== undefined || flags.mode === "accept-edits" || flags.mode === "bypass";
}

function readingOnly(workspace: string): string {
  return `${visibleLine(workspace)} is not trusted: only tools that read are on. To trust it: localharness trust add, or --trust for one run`;
}

/** The question of a first run. */
export function trustText(workspace: string): string {
  return [
    "Do you trust the files in this folder?",
    `  ${visibleLine(workspace)}`,
    "",
    "A model reads them, and text in them can steer it. In a trusted folder",
    "its rules and instructions are used, and tools that change things or run",
    "commands are on (they ask you first). Otherwise only tools that read are.",
    "",
    "[1] Trust  [2] Only read  [3] Leave",
    "",
  ].join("\n");
}

/** The end of input is leaving. */
export async function askTrust(
  workspace: string,
  output: TextOutput,
  lines: AnswerLines,
): Promise<TrustAnswer> {
  output.raw(trustText(workspace));
  return (await askLine({ lines, output, read: readTrust })) ?? "leave";
}

function readTrust(line: string): LineReading<TrustAnswer> {
  const answer = trustAnswers.get(line.trim().toLowerCase());
  if (answer === undefined) return { kind: "again", text: "Type 1 (trust), 2 (only read) or 3 (leave).\n" };
  return { kind: "answer", answer, allows: answer === "trust" };
}

const trustAnswers: ReadonlyMap<string, TrustAnswer> = new Map([
  ["1", "trust"],
  ["y", "trust"],
  ["yes", "trust"],
  ["2", "read"],
  ["n", "read"],
  ["no", "read"],
  ["3", "leave"],
  ["q", "leave"],
]);
