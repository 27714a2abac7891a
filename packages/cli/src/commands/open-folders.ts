/** Opens the folders of `--add-dir` and those of an earlier session, before a session begins. */
import type { Composition } from "@localharness/harness/compose";
import type { FolderAnswer } from "@localharness/harness/folders/folder-trust";
import { defined } from "@localharness/protocol";
import type { EarlierSession } from "@localharness/store/sessions/kept-sessions";
import type { FlagValues } from "../arguments/parse.ts";

export interface FolderTalk {
  /** Asks the person about the trust in a folder; absent if nobody can be asked. */
  readonly ask?: (root: string) => Promise<FolderAnswer>;
  /** Shows the person a message. */
  tell(text: string): void;
}

/** Rejects with a `HarnessError` for a folder of `--add-dir` that cannot be added. */
export async function openFolders(
  { folders }: Pick<Composition, "folders">,
  flags: FlagValues,
  { ask, tell }: FolderTalk,
  earlier?: EarlierSession,
): Promise<void> {
  await folders.open(flags["add-dir"] ?? [], { flags, tell, ...defined({ ask }) });
  for (const remark of await folders.begin(earlier)) tell(remark);
}
