/** Decides whether a run trusts the workspace: by a remembered decision, by options, or by asking the person. */
import { type PermissionMode, reasonOf, visibleLine } from "@localharness/protocol";
import type { TrustStore } from "@localharness/store/trust/trust-file";
import type { Options } from "../../config/options.ts";
import { placeToTrust } from "./place-to-trust.ts";

/**
 * The trust of a run in the workspace. `full`: the workspace's rules and instructions are read, and tools that change
 * things may ask. `tools`: the options of the run say what tools may do, and no rules or instructions are read.
 * `reading`: only reading tools are on.
 */
export type Trust = "full" | "tools" | "reading";

/** `auto` means that the folder is trusted and its sessions begin in mode `auto`. */
export type TrustAnswer = "trust" | "auto" | "read" | "leave";

export interface TrustQuestion {
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly store: TrustStore;
  /** The options of the run. */
  readonly flags: Options;
  /** Takes the mode that the person chose for this folder. Returns the mode in which sessions begin. */
  preferMode?(mode: PermissionMode): PermissionMode;
  /** Asks the person about the folder that `placeToTrust` returns; absent if nobody can be asked. */
  readonly ask?: () => Promise<TrustAnswer>;
  /** Shows the person a message. */
  tell(text: string): void;
}

/** Returns the trust in a workspace, or `leave` if the person was asked and wants to leave. Saves any other answer. */
export async function settleTrust({
  workspace,
  store,
  flags,
  ask,
  tell,
  preferMode,
}: TrustQuestion): Promise<Trust | "leave"> {
  if (flags.trust === true) return "full";
  const { trusted, mode, warning } = await store.find(workspace);
  if (warning !== undefined) tell(warning);
  if (trusted === true && mode !== undefined) preferMode?.(mode);
  if (trusted === true) return "full";
  if (trusted === undefined && ask !== undefined) {
    const answer = await ask();
    if (answer === "leave") return answer;
    const chosen = answer === "auto" ? answer : undefined;
    if (chosen !== undefined && preferMode !== undefined) {
      const other = otherMode(chosen, preferMode(chosen));
      if (other !== undefined) tell(other);
    }
    await store
      .set(placeToTrust(workspace), answer !== "read", chosen)
      .catch((error: unknown) => tell(`this holds for this run only: ${reasonOf(error)}`));
    if (answer !== "read") return "full";
  } else if (saysWhatToolsMayDo(flags)) {
    return "tools";
  }
  tell(readingOnly(workspace));
  return "reading";
}

/** Returns a message if sessions do not begin in the mode that the person chose for the folder. */
export function otherMode(chosen: PermissionMode, holds: PermissionMode): string | undefined {
  if (holds === chosen) return undefined;
  return `a setting or option names the mode ${holds}, so sessions begin in it and not in ${chosen}: /mode ${chosen} changes it for a session`;
}

/**
 * Returns true if the options say what tools may do in this run. The run then does not depend on the files of the
 * folder.
 */
export function saysWhatToolsMayDo(flags: Options): boolean {
  if (flags.allow !== undefined) return true;
  return flags.answer !== undefined || ["accept-edits", "auto", "bypass"].some((mode) => mode === flags.mode);
}

function readingOnly(workspace: string): string {
  return `${visibleLine(workspace)} is not trusted: only tools that read are on, and each read asks. To trust it: localharness trust add, or --trust for one run`;
}
