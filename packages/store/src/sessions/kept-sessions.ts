/** The sessions of one workspace, as commands and screens use them. Every method that fails rejects with words for the person. */
import { freshId, usageError } from "@localharness/engine";
import type { SessionEvent } from "@localharness/protocol";
import { forgetChanges } from "@localharness/tools";
import type { ExportFormat } from "./export/export-format.ts";
import type { ForkedSession } from "./fork-tree.ts";
import type { ListedSession } from "./list-sessions.ts";
import { createOpenWriters, type OpenWriters } from "./open-writers.ts";
import { sessionPath, sessionsFolder } from "./session-place.ts";
import { openSessionWriter, type SessionWriter } from "./session-writer.ts";
import type { Masking } from "./split-secret.ts";
import type { EarlierSession, SessionShelf } from "./take-up-session.ts";

export type { ExportFormat } from "./export/export-format.ts";
export type { ForkedSession } from "./fork-tree.ts";
export type { ListedSession } from "./list-sessions.ts";
export type { EarlierSession } from "./take-up-session.ts";

/** One of a list; with words that were searched, where they are. */
export interface ShownSession extends ListedSession {
  readonly excerpt?: string;
}

export interface KeptSessions {
  /** Where they lie. */
  readonly folder: string;
  /** Newest first; with words, those whose content has all of them. A search that is aborted gives what it has found. */
  listSessions(words: string, signal?: AbortSignal): Promise<readonly ShownSession[]>;
  /** The whole id for a beginning of it, for the number of a session in the list, or for its name. */
  findSession(wanted: string): Promise<string>;
  /** Undefined when there is none. */
  newestSession(): Promise<string | undefined>;
  /** All events, to look at; numbered as on the disk. */
  readEvents(id: string): Promise<readonly SessionEvent[]>;
  /** To go on with: in its own file, or in a branch where that cannot be. To be handed to `newSession`. */
  openSession(id: string): Promise<EarlierSession>;
  /** A new session with everything before a message of the person's, which is named by the `seq` of its event. */
  forkSession(id: string, beforeSeq: number): Promise<EarlierSession>;
  /** A session that is open here is renamed through its writer. */
  renameSession(id: string, name: string): Promise<void>;
  deleteSession(id: string): Promise<void>;
  /** The tree that a session is in, in reading order. */
  listForks(id: string): Promise<readonly ForkedSession[]>;
  /** The text of an export. */
  exportText(id: string, format: ExportFormat): Promise<string>;
  /** Writes it to a new file, and returns its path; without one, beside the person: `localharness-<id>.md`. */
  exportSession(id: string, format: ExportFormat, path: string | undefined): Promise<string>;
  /** Where a new session is kept; its file is made at its first event. */
  startSession(id: string): SessionWriter;
  /** Ends what is open. */
  close(): void;
}

export interface KeptSessionsParts extends Masking {
  readonly stateFolder: string;
  /** Real path. */
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
  const pathOf = (id: string) => sessionPath(folder, id);

  return {
    folder,
    ...changes(folder, { mask, secrets }, open, (id) => forgetChanges(stateFolder, workspace, id)),
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
    async newestSession() {
      return (await import("./list-sessions.ts")).newestSession(folder);
    },
    async readEvents(id) {
      open.flush();
      return (await (await import("./read-session.ts")).readSessionFile(pathOf(id))).events;
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
    startSession(id) {
      const header = { id, workspace, created: Date.now() };
      return open.keep(id, openSessionWriter({ path: pathOf(id), header, mask, secrets }));
    },
    close: () => open.close(),
  };
}

type Changes = Pick<KeptSessions, "renameSession" | "deleteSession" | "exportText" | "exportSession">;

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
      if (clean === "") throw usageError("a session is renamed to a name: it was empty");
      const writer = open.of(id);
      if (writer !== undefined) {
        writer.counter.rename(clean);
        if (!writer.writeNote()) throw usageError("the name could not be written: the disk refuses");
        return;
      }
      const { renameSessionFile } = await import("./change-session.ts");
      await renameSessionFile(pathOf(id), clean, masking);
    },
    async deleteSession(id) {
      const { deleteSessionFile } = await import("./change-session.ts");
      deleteSessionFile(pathOf(id));
      // What its tools replaced is as private as what was said.
      await forgetUndo(id);
    },
    async exportText(id, format) {
      open.flush();
      const { exportText } = await import("./export/export-session.ts");
      return exportText(pathOf(id), format);
    },
    async exportSession(id, format, path) {
      open.flush();
      const { exportToFile } = await import("./export/export-session.ts");
      return exportToFile(pathOf(id), id, format, path);
    },
  };
}
