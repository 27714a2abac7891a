/** Decides whether a session trusts a folder that the person adds to it, as it is decided for a workspace. */
import type { TrustStore } from "@localharness/store/trust/trust-file";
import type { Options } from "../../config/options.ts";
import { saysWhatToolsMayDo, type Trust } from "../trust/settle-trust.ts";

/** `leave` means that the folder is not added. */
export type FolderAnswer = "trust" | "read" | "leave";

export interface FolderTrustQuestion {
  readonly store: TrustStore;
  /** The options of the run. */
  readonly flags: Options;
  /** Asks the person about a folder; absent if nobody can be asked. */
  ask?(root: string): Promise<FolderAnswer>;
  /** Shows the person a message. */
  tell(text: string): void;
}

/** Resolves to the trust in a folder, or to `leave` if the person was asked and does not want it. Saves any other answer. */
export async function folderTrust(
  root: string,
  { store, flags, ask, tell }: FolderTrustQuestion,
): Promise<Trust | "leave"> {
  if (flags.trust === true) return "full";
  const { trusted, warning } = await store.find(root);
  if (warning !== undefined) tell(warning);
  if (trusted === true) return "full";
  if (trusted === undefined && ask !== undefined) {
    const answer = await ask(root);
    if (answer === "leave") return answer;
    await store
      .set(root, answer === "trust")
      .catch((error: unknown) => tell(`this holds for this run only: ${String(error)}`));
    return answer === "trust" ? "full" : "reading";
  }
  return saysWhatToolsMayDo(flags) ? "tools" : "reading";
}

/** What a trust means for an added folder, in words. */
export const aboutFolderTrust: Readonly<Record<Trust, string>> = {
  full: "trusted",
  tools: "the options of this run say what tools may do; its instructions are not read",
  reading: "not trusted: only read, and each read asks",
};
