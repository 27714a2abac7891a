/**
 * Opens the saved sessions of one workspace. A method that fails rejects with a `HarnessError` for the person, unless its
 * comment says otherwise.
 */
import { dirname, join } from "node:path";
import { freshId, usageError } from "@localharness/engine";
import { defined, type ExportFormat, type SessionEvent } from "@localharness/protocol";
import { forgetChanges } from "@localharness/workspace/changes/change-folder";
import type { ShownFormat } from "./export/export-format.ts";
import type { ForkedSession } from "./fork-tree.ts";
import type { Continued, ListedSession } from "./list-sessions.ts";
import { createOpenWriters, type OpenWriters } from "./open-writers.ts";
import type { WorkspaceSessions } from "./session-folders.ts";
import { inodeOf, placeOf, sessionPath, sessionsFolder } from "./session-place.ts";
import { openSessionWriter, type SessionWriter } from "./session-writer.ts";
import type { Masking } from "./split-secret.ts";
import type { EarlierSession, SessionShelf } from "./take-up-session.ts";

export type { ExportFormat } from "@localharness/protocol";
export type { ForkedSession } from "./fork-tree.ts";
export type { Continued, ListedSession } from "./list-sessions.ts";
export type { EarlierSession } from "./take-up-session.ts";

/** A session in a list. After a search, `excerpt` is the text around the first word, on one line. */
export interface ShownSession extends ListedSession {
  readonly excerpt?: string;
}

export interface KeptSessions {
  /** The folder of the session files. */
  readonly folder: string;
  /**
   * Returns the sessions, newest first. If `words` is not empty, only the sessions that contain all words are returned.
   * An aborted search returns what it has found so far.
   */
  listSessions(words: string, signal?: AbortSignal): Promise<readonly ShownSession[]>;
  /** Returns the full id for the beginning of an id, a number in the list, or a name. */
  findSession(wanted: string): Promise<string>;
  /**
   * Returns folders that are gone and have sessions, the likeliest former place of this workspace first; at most three.
   */
  goneFolders(): Promise<readonly WorkspaceSessions[]>;
  /** Returns the folder of another workspace that has the session; undefined if this folder has it, or none. */
  otherFolderOf(id: string): Promise<string | undefined>;
  /**
   * Returns the id of the session that was used last; undefined if no session has messages. With `chats` it is a session
   * of a chat, not of a run, if there is one.
   */
  newestSession(of: Continued): Promise<string | undefined>;
  /** Returns all events of a session for reading, with their `seq` from the file. */
  readEvents(id: string): Promise<readonly SessionEvent[]>;
  /**
   * Opens a session to continue it in its own file, or in a branch if that is impossible. The result can be passed to
   * `newSession` of a composition.
   */
  openSession(id: string): Promise<EarlierSession>;
  /** Creates a session with all events before the person's message whose `seq` is `beforeSeq`. */
  forkSession(id: string, beforeSeq: number): Promise<EarlierSession>;
  /**
   * Renames a session. The name that is saved has single spaces and at most 200 characters; an empty one is rejected. If
   * this process has the session open, its writer does so.
   */
  renameSession(id: string, name: string): Promise<void>;
  /** Deletes a session and its undo data. Rejects with the system's error if only the undo data cannot be removed. */
  deleteSession(id: string): Promise<void>;
  /** Returns the fork tree that contains a session, each session before its forks. */
  listForks(id: string): Promise<readonly ForkedSession[]>;
  /** Returns a session as text in the given format. */
  exportText(id: string, format: ShownFormat): Promise<string>;
  /**
   * Exports a session to a new file and returns its path. Without `path`, the file is in the folder `exports` of the state
   * folder and is named like `localharness-<id>.md`.
   */
  exportSession(id: string, format: ExportFormat, path: string | undefined): Promise<string>;
  /**
   * Returns the writer of a new session, which creates the file at the first event. `oneShot` is true for a run
   * (`-p`, `loop`), not a chat.
   */
  startSession(id: string, oneShot?: boolean): SessionWriter;
  /** Closes all open writers. */
  close(): void;
}

export interface KeptSessionsParts extends Masking {
  readonly stateFolder: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly systemPrompt: string;
}

export function openKeptSessions({
  stateFolder,
  workspace,
  systemPrompt,
  mask,
  secrets,
}: KeptSessionsParts): KeptSessions {
  const folder = sessionsFolder(stateFolder, workspace);
  const shelf: SessionShelf = { folder, workspace, systemPrompt, mask, secrets, freshId };
  const open = createOpenWriters();

  return {
    folder,
    ...changes(folder, { mask, secrets }, open, (id) => forgetChanges(stateFolder, workspace, id)),
    async exportSession(id, format, file) {
      open.flush();
      const { exportToFile } = await import("./export/export-session.ts");
      return exportToFile(placeOf(folder, id), id, format, { file, folder: join(stateFolder, "exports") });
    },
    async goneFolders() {
      return (await import("./other-folders.ts")).goneFolders(stateFolder, workspace);
    },
    async listSessions(words, signal) {
      open.flush();
      const { listSessionFiles } = await import("./list-sessions.ts");
      const all = await listSessionFiles(folder);
      if (words.trim() === "") return all;
      const { searchSessions } = await import("./search-sessions.ts");
      return searchSessions(folder, all, words, signal);
    },
    async findSession(wanted) {
      const { findSession } = await import("./find-session.ts");
      return findSession(folder, wanted);
    },
    async otherFolderOf(id) {
      const path = placeOf(folder, id);
      if (dirname(path) === folder) return undefined;
      return (await (await import("./read-session.ts")).readSessionFile(path)).header.workspace;
    },
    async newestSession(of) {
      return (await import("./list-sessions.ts")).newestSession(folder, of);
    },
    async readEvents(id) {
      open.flush();
      return (await (await import("./read-session.ts")).readSessionFile(placeOf(folder, id))).events;
    },
    async openSession(id) {
      open.flush();
      const { takeUpSession } = await import("./take-up-session.ts");
      return open.keepEarlier(await takeUpSession(shelf, id));
    },
    async forkSession(id, beforeSeq) {
      open.flush();
      const { forkSession } = await import("./take-up-session.ts");
      return open.keepEarlier(await forkSession(shelf, id, beforeSeq));
    },
    async listForks(id) {
      open.flush();
      const { listSessionFiles } = await import("./list-sessions.ts");
      const { forkTree } = await import("./fork-tree.ts");
      return forkTree(await listSessionFiles(folder), id);
    },
    startSession(id, oneShot) {
      const made = oneShot === true ? ({ oneShot } as const) : {};
      const inode = defined({ inode: inodeOf(workspace) });
      const header = { id, workspace, created: Date.now(), ...inode, ...made };
      return open.keep(id, openSessionWriter({ path: sessionPath(folder, id), header, mask, secrets }));
    },
    close: () => open.close(),
  };
}

type Changes = Pick<KeptSessions, "renameSession" | "deleteSession" | "exportText">;

function changes(
  folder: string,
  masking: Masking,
  open: OpenWriters,
  forgetUndo: (id: string) => Promise<void>,
): Changes {
  const pathOf = (id: string) => sessionPath(folder, id);
  return {
    async renameSession(id, name) {
      const clean = name.replace(/\s+/g, " ").trim().slice(0, 200);
      if (clean === "") throw usageError("the new name of the session is empty: give a name");
      const writer = open.of(id);
      if (writer !== undefined) {
        writer.counter.rename(clean);
        if (!writer.writeNote()) {
          throw usageError("the new name could not be saved: the session's file cannot be written");
        }
        return;
      }
      const { renameSessionFile } = await import("./change-session.ts");
      await renameSessionFile(placeOf(folder, id), clean, masking);
    },
    async deleteSession(id) {
      if (placeOf(folder, id) !== pathOf(id)) {
        throw usageError(
          `${id} is a session of another folder: give that folder as --workspace to delete it`,
        );
      }
      const { deleteSessionFile } = await import("./change-session.ts");
      deleteSessionFile(pathOf(id));
      // The file contents that are kept for undo are as private as the transcript, so they are removed too.
      await forgetUndo(id);
    },
    async exportText(id, format) {
      open.flush();
      const { exportText } = await import("./export/export-session.ts");
      return exportText(placeOf(folder, id), format);
    },
  };
}
