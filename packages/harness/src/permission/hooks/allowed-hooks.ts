/** Keeps in `hooks.json` which hooks of projects the person has allowed, by folder and content. */
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { changeKept, loadKept } from "@localharness/store/kept-file/kept-file";
import { listKind } from "@localharness/store/kept-file/list-kind";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";

export interface AllowedHooks {
  /**
   * Returns true if the hooks with this hash are allowed in the workspace. Never rejects: an unreadable file allows nothing.
   */
  isAllowed(workspace: string, hash: string): Promise<boolean>;
  /** Allows the hooks with this hash, in place of those allowed before. Rejects if that cannot be saved. */
  allow(workspace: string, hash: string): Promise<void>;
  /** Removes the permission of a workspace. Returns false if there was no permission. Rejects if that cannot be saved. */
  forget(workspace: string): Promise<boolean>;
}

interface Allowed {
  readonly path: string;
  readonly hash: string;
}

const kind = listKind<Allowed>({
  key: "projects",
  contents: "allowed hooks",
  durable: true,
  expected: "a list with path and hash",
  read: (entry) => (isAllowed(entry) ? (entry as unknown as Allowed) : undefined),
});

function isAllowed({ path, hash }: JsonObject): boolean {
  return typeof path === "string" && typeof hash === "string";
}

export function openAllowedHooks(folder: string | undefined, journal: WriteJournal): AllowedHooks {
  if (folder === undefined) {
    return {
      isAllowed: async () => false,
      allow: () => Promise.reject(new Error("there is no home folder to save the permission in: set HOME")),
      forget: async () => false,
    };
  }
  const path = join(folder, "hooks.json");
  return {
    isAllowed: async (workspace, hash) => {
      const { value } = await loadKept(path, kind);
      return value.some((one) => one.path === workspace && one.hash === hash);
    },
    allow: async (workspace, hash) => {
      await changeKept(path, kind, journal, (all) => [
        ...all.filter((one) => one.path !== workspace),
        { path: workspace, hash },
      ]);
    },
    forget: async (workspace) => {
      const before = await changeKept(path, kind, journal, (all) =>
        all.filter((one) => one.path !== workspace),
      );
      return before.some((one) => one.path === workspace);
    },
  };
}
