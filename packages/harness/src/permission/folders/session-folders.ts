/**
 * Keeps the folders that the person has added to the workspace in one session. A folder belongs to its session; the options of the run
 * give folders to each session. Only the person adds a folder, by an option or a command: no tool and no file does.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Session, usageError } from "@localharness/engine";
import { type FolderChange, reasonOf, type SessionEvent, visibleLine } from "@localharness/protocol";
import type { TrustStore } from "@localharness/store/trust/trust-file";
import type { ToolResources } from "@localharness/tools";
import type { Options } from "../../config/options.ts";
import type { Trust } from "../trust/settle-trust.ts";
import { addedNote, goneNote, removedNote, wasTold } from "./folder-notes.ts";
import { aboutFolderTrust, type FolderTrustQuestion, folderTrust } from "./folder-trust.ts";

export interface SessionFolder {
  /** The real path. */
  readonly root: string;
  readonly trust: Trust;
}

export type FolderQuestion = Omit<FolderTrustQuestion, "store">;

export interface SessionFolders {
  /** Returns the folders of the current session. */
  list(): readonly SessionFolder[];
  /**
   * Adds the folders of the options of the run, also to later sessions. Asks about the trust in each if somebody can be asked. Rejects
   * with a `HarnessError` for a folder that cannot be added.
   */
  open(paths: readonly string[], question: FolderQuestion): Promise<void>;
  /**
   * Call it before a session begins. The session has the folders of the options; one that goes on has its own again. Resolves to
   * remarks for the person. Never rejects.
   */
  begin(earlier?: { readonly events: readonly SessionEvent[] }): Promise<readonly string[]>;
  /**
   * Changes the folders of the current session, and resolves to a sentence for the person; without a change to the list. Rejects with
   * a `HarnessError` if the change is impossible.
   */
  change(change?: FolderChange): Promise<string>;
  /** Takes the session that records the folders from now on. */
  follow(session: Session): void;
  /** Returns the notes for the model since the last call. */
  takeNotes(): readonly string[];
}

export interface SessionFoldersParts {
  readonly resources: Pick<ToolResources, "added" | "judgeFolder" | "workspace">;
  readonly trustStore: TrustStore;
  /** Returns the maximum number of bytes of all instructions. */
  maxInstructions(): number;
  /** Masks secrets in what the model gets. */
  mask(text: string): string;
}

export function openSessionFolders(parts: SessionFoldersParts): SessionFolders {
  return new Folders(parts);
}

class Folders implements SessionFolders {
  readonly #parts: SessionFoldersParts;
  readonly #trust = new Map<string, Trust>();
  /** The folders of the options of the run. */
  #ofRun: readonly SessionFolder[] = [];
  #flags: Options = {};
  #notes: string[] = [];
  #session: Session | undefined;

  constructor(parts: SessionFoldersParts) {
    this.#parts = parts;
  }

  list(): readonly SessionFolder[] {
    return [...this.#trust].map(([root, trust]) => ({ root, trust }));
  }

  async open(paths: readonly string[], question: FolderQuestion): Promise<void> {
    this.#flags = question.flags;
    for (const path of paths) {
      const { root, isLink } = this.#judged(path, undefined);
      if (isLink) question.tell(`${visibleLine(path)} is ${visibleLine(root)}`);
      const trust = await folderTrust(root, { ...question, store: this.#parts.trustStore });
      if (trust === "leave") continue;
      this.#put(root, trust);
      if (trust !== "full") question.tell(`${visibleLine(root)} is ${aboutFolderTrust[trust]}`);
    }
    this.#ofRun = this.list();
  }

  async begin(earlier?: { readonly events: readonly SessionEvent[] }): Promise<readonly string[]> {
    const remarks: string[] = [];
    const events = earlier?.events ?? [];
    for (const root of this.#trust.keys()) this.#parts.resources.added.remove(root);
    this.#trust.clear();
    this.#notes = [];
    const ofRun = new Map(this.#ofRun.map(({ root, trust }) => [root, trust]));
    for (const root of new Set([...ofRun.keys(), ...foldersOf(events)])) {
      const problem = await this.#bringBack(root, ofRun.get(root), (text) => remarks.push(text));
      if (problem === undefined) continue;
      remarks.push(`${problem}; the session goes on without it`);
      if (wasTold(events, root)) this.#notes.push(goneNote(root));
    }
    for (const { root, trust } of this.list()) {
      if (!wasTold(events, root)) remarks.push(...(await this.#tellModel(root, trust)));
    }
    return remarks;
  }

  async change(change?: FolderChange): Promise<string> {
    if (change === undefined) return this.#inWords();
    if (change.kind === "remove") return this.#remove(change.path);
    const { path, trust } = change;
    const known = this.#known(path);
    if (known !== undefined && trust === undefined) {
      throw usageError(
        `${known} was added already, ${aboutFolderTrust[this.#trust.get(known) ?? "reading"]}`,
      );
    }
    const { root, isLink } =
      known === undefined ? this.#judged(path, this.#workspace) : { root: known, isLink: false };
    if (trust !== undefined) await this.#parts.trustStore.set(root, trust === "yes");
    const settled = trust === "read" ? "reading" : await this.#settle(root);
    this.#put(root, settled);
    this.#session?.foldersChanged();
    const warnings = await this.#tellModel(root, settled);
    const link = isLink ? `${visibleLine(path)} is ${visibleLine(root)}. ` : "";
    const further = settled === "reading" ? `. /add-dir ${visibleLine(root)} yes trusts it` : "";
    const said = `${link}${known === undefined ? "Added" : "Now"}: ${visibleLine(root)}, ${aboutFolderTrust[settled]}${further}`;
    return [said, ...warnings].join("\n");
  }

  follow(session: Session): void {
    this.#session = session;
  }

  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  get #workspace(): string {
    return this.#parts.resources.workspace.root;
  }

  #judged(path: string, from: string | undefined): { readonly root: string; readonly isLink: boolean } {
    const judged = this.#parts.resources.judgeFolder(path, from);
    if (!judged.ok) throw usageError(visibleLine(judged.message));
    return judged;
  }

  /** Returns the added folder that a path means, which may be gone. */
  #known(path: string): string | undefined {
    const { added } = this.#parts.resources;
    const found = added.find(path) ?? added.find(resolve(this.#workspace, path));
    return found?.path === "" ? found.folder.root : undefined;
  }

  #remove(path: string): string {
    if (this.#session?.view().turn.running === true) {
      throw usageError("a turn is running, which may use the folder: interrupt it first");
    }
    const root = this.#known(path);
    if (root === undefined) throw usageError(`${visibleLine(path)} is not added. ${this.#inWords()}`);
    this.#parts.resources.added.remove(root);
    this.#trust.delete(root);
    this.#session?.foldersChanged();
    this.#notes.push(removedNote(root));
    return `Taken away: ${visibleLine(root)}. What runs in the background keeps it until it ends`;
  }

  /**
   * Adds a folder that was added before: in this run, with the trust `ofRun`, or in an earlier one. Resolves to the reason why it is
   * not added again.
   */
  async #bringBack(
    root: string,
    ofRun: Trust | undefined,
    tell: (text: string) => void,
  ): Promise<string | undefined> {
    try {
      const judged = this.#parts.resources.judgeFolder(root);
      if (!judged.ok) return visibleLine(judged.message);
      if (judged.root !== root) return `${visibleLine(root)} is a link to ${visibleLine(judged.root)} now`;
      const trust = ofRun ?? (await this.#settle(root, tell));
      this.#put(root, trust);
      if (ofRun === undefined && trust === "reading") {
        tell(`${visibleLine(root)} is ${aboutFolderTrust[trust]}`);
      }
      return undefined;
    } catch (error) {
      return `${visibleLine(root)} cannot be opened: ${reasonOf(error)}`;
    }
  }

  async #settle(root: string, tell: (text: string) => void = () => undefined): Promise<Trust> {
    const trust = await folderTrust(root, { store: this.#parts.trustStore, flags: this.#flags, tell });
    return trust === "leave" ? "reading" : trust;
  }

  #put(root: string, trust: Trust): void {
    this.#parts.resources.added.add({ root, trusted: trust === "full", writable: trust !== "reading" });
    this.#trust.set(root, trust);
  }

  async #tellModel(root: string, trust: Trust): Promise<readonly string[]> {
    const { text, warnings } = await addedNote(root, trust, this.#parts.maxInstructions());
    this.#notes.push(this.#parts.mask(text));
    return warnings;
  }

  #inWords(): string {
    const folders = this.list();
    if (folders.length === 0) {
      return "There is no folder beside the workspace. /add-dir PATH adds one to this session";
    }
    const lines = folders.map(({ root, trust }) => {
      const gone = existsSync(root) ? "" : ", gone";
      return `${visibleLine(root)}: ${aboutFolderTrust[trust]}${gone}`;
    });
    return [...lines, "/add-dir PATH adds a folder, /add-dir remove PATH takes one away"].join("\n");
  }
}

/** Returns the folders that a session had last. The file of the session is read without checks of their types. */
function foldersOf(events: readonly SessionEvent[]): readonly string[] {
  const last = events.findLast((event) => event.type === "folders-changed");
  const folders: readonly unknown[] = last?.type === "folders-changed" ? last.folders : [];
  return folders.filter((one) => typeof one === "string");
}

/** Returns the folders of a place to which none can be added. `why` says so to the person. */
export function noFolders(why: string): SessionFolders {
  return {
    list: () => [],
    open: (paths) => (paths.length === 0 ? Promise.resolve() : Promise.reject(usageError(why))),
    begin: (earlier) =>
      Promise.resolve(
        foldersOf(earlier?.events ?? []).length === 0
          ? []
          : [`${why}; the session goes on without its folders`],
      ),
    change: () => Promise.reject(usageError(why)),
    follow: () => undefined,
    takeNotes: () => [],
  };
}
