/** Whether this run may take the workspace's own files as the person's: remembered, stated, asked, or no. */

import { reasonOf, visibleLine } from "@localharness/protocol";
import type { TrustStore } from "@localharness/store/trust/trust-file";
import type { Options } from "../options.ts";

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
  readonly flags: Options;
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
function saysWhatToolsMayDo(flags: Options): boolean {
  if (flags.allow !== undefined) return true;
  return flags.answer !== undefined || flags.mode === "accept-edits" || flags.mode === "bypass";
}

function readingOnly(workspace: string): string {
  return `${visibleLine(workspace)} is not trusted: only tools that read are on. To trust it: localharness trust add, or --trust for one run`;
}
