/**
 * Writes a session's events to its file as they happen. An event that shows something as done goes to the operating
 * system before any screen gets it. Other events are buffered until the next such event, but for at most half a second;
 * deltas for longer if a secret may begin at their end. If writing fails, the person gets one warning, and each later write
 * retries with everything that is missing.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { TranscriptStore } from "@localharness/engine";
import type { SessionEvent } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";
import { openPlain } from "@localharness/workspace/files/plain-file";
import { createMessageCounter, type MessageCounter } from "./count-messages.ts";
import { createEventJoiner } from "./join-events.ts";
import { lockNewSession, type SessionLock } from "./session-lock.ts";
import { headerLine, noteLine, type SessionHeader } from "./session-record.ts";
import type { Masking } from "./split-secret.ts";

export interface SessionWriter extends TranscriptStore {
  readonly counter: MessageCounter;
  /** Sets the listener for warnings to the person, and passes earlier warnings to it at once. */
  tellTo(tell: (message: string) => void): void;
  /** Passes all buffered lines to the operating system. Returns false, and tells the person once, if writing fails. */
  flush(): boolean;
  /** Appends a new summary after all buffered lines. Returns false if writing fails. */
  writeNote(): boolean;
  close(): void;
}

export interface WriterParts extends Masking {
  readonly path: string;
  /** The header of a new file, which is created at the first event. Absent if the file exists. */
  readonly header?: SessionHeader;
  /** The lock, if the file exists. */
  readonly lock?: SessionLock;
  /** True if the existing file does not end with a line break. */
  readonly torn?: boolean;
  /** The last `seq` in the existing file. */
  readonly after?: number;
  readonly counter?: MessageCounter;
}

/** The flags with which a session's file is opened: for appending only, and never through a link. */
export const appending = constants.O_APPEND | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

const maxBufferedMs = 500;
/**
 * The maximum number of bytes that are kept in memory while writing fails. Above it, the writer stops saving the
 * session.
 */
const maxBytesWaiting = 64 * 1024 * 1024;
const maxBytesAtOnce = 1024 * 1024;

/** Events that show nothing as done. Writing them may wait. */
const unimportant: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "text-delta",
  "reasoning-delta",
  "tool-call-start",
  "tool-call-delta",
  "tool-call-end",
  "tool-call-withdrawn",
  "tool-progress",
  "agent-usage",
  "usage",
  "prompt-progress",
  "model-phase",
  "executor-state",
  "iteration-start",
  "iteration-end",
  "turn-start",
]);

export function openSessionWriter(parts: WriterParts): SessionWriter {
  return new FileWriter(parts);
}

class FileWriter implements SessionWriter {
  readonly counter: MessageCounter;
  readonly #parts: WriterParts;
  readonly #joiner;
  /** The header, until the first line is written. A session without events leaves no file. */
  #header: SessionHeader | undefined;
  #file: number | undefined;
  #lock: SessionLock | undefined;
  /** True once the file exists. */
  #made: boolean;
  /** The lines that the operating system has not accepted yet. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** True if the file ends in the middle of a line. */
  #torn: boolean;
  #timer: NodeJS.Timeout | undefined;
  #trouble: "none" | "told" | "given-up" = "none";
  #syncing = false;
  /** True if a turn has ended since the last sync to the disk began, or if that sync failed. */
  #unsynced = false;
  #untold: string[] = [];
  #tell = (message: string): void => void this.#untold.push(message);
  #closed = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.counter = parts.counter ?? createMessageCounter();
    this.#joiner = createEventJoiner(parts, parts.after ?? 0);
    this.#lock = parts.lock;
    this.#made = parts.header === undefined;
    this.#torn = parts.torn === true;
    this.#header = parts.header;
  }

  append(event: SessionEvent): void {
    if (this.#closed || this.#trouble === "given-up") return;
    this.counter.count(event);
    for (const line of this.#joiner.push(event)) this.#put(line);
    if (unimportant.has(event.type)) {
      this.#timer ??= setTimeout(() => this.#hand(this.#joiner.ready()), maxBufferedMs).unref();
      return;
    }
    if (event.type === "turn-end") {
      this.#put(noteLine(this.#maskedNote()));
      this.#unsynced = true;
    }
    this.flush();
    this.#sync();
  }

  tellTo(tell: (message: string) => void): void {
    this.#tell = tell;
    for (const message of this.#untold.splice(0)) tell(message);
  }

  flush(): boolean {
    return this.#hand(this.#joiner.end());
  }

  /** Passes the lines to the operating system, after the lines that already wait. Returns false if writing fails. */
  #hand(lines: readonly string[]): boolean {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const line of lines) this.#put(line);
    if (this.#waiting.length === 0 || this.#trouble === "given-up") return this.#waiting.length === 0;
    try {
      this.#write(this.#openFile());
    } catch (error) {
      this.#failed(reasonOf(error));
      return false;
    }
    const wasTold = this.#trouble === "told";
    this.#trouble = "none";
    if (wasTold) this.#tell("the session is saved again, and nothing is missing");
    return true;
  }

  writeNote(): boolean {
    this.#put(noteLine(this.#maskedNote()));
    return this.flush();
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    this.#drop();
    this.#lock?.release();
    this.#lock = undefined;
  }

  #maskedNote() {
    const { name, title, ...rest } = this.counter.note();
    const { mask } = this.#parts;
    return { ...rest, title: mask(title), ...(name === undefined ? {} : { name: mask(name) }) };
  }

  #put(line: string): void {
    const header = this.#header;
    this.#header = undefined;
    if (header !== undefined) this.#put(headerLine(header));
    const bytes = Buffer.from(line);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  /**
   * Writes the waiting lines. A line that was written only in part is written again on a new line; readers skip the
   * torn line.
   */
  #write(file: number): void {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.slice(0, this.#linesAtOnce());
      const bytes = Buffer.concat(this.#torn ? [lineEnd, ...lines] : lines);
      try {
        const written = writeSync(file, bytes);
        if (written === 0) throw new Error("the disk accepted no bytes");
        this.#settle(this.#torn ? written - lineEnd.length : written);
      } catch (error) {
        // It is unknown how much was written, so the last line may be torn.
        this.#torn = !isEmpty(file);
        throw error;
      }
    }
  }

  /**
   * Returns the number of lines for one write of about 1 MB. On a failing disk every step tries to write, and joining
   * all lines each time would be slow.
   */
  #linesAtOnce(): number {
    let bytes = 0;
    const end = this.#waiting.findIndex((line) => {
      bytes += line.length;
      return bytes > maxBytesAtOnce;
    });
    return end === -1 ? this.#waiting.length : Math.max(1, end);
  }

  /** Removes the lines that were completely written from the waiting lines. */
  #settle(written: number): void {
    let left = written;
    let whole = 0;
    for (const { length } of this.#waiting) {
      if (length > left) break;
      left -= length;
      whole += 1;
    }
    this.#waitingBytes -= written - left;
    this.#waiting.splice(0, whole);
    this.#torn = left > 0;
  }

  #openFile(): number {
    if (this.#file !== undefined && !this.#isGone(this.#file)) return this.#file;
    this.#drop();
    const { path } = this.#parts;
    if (!this.#made) {
      makeFolder(dirname(path));
      this.#lock ??= lockNewSession(path);
    }
    const { O_CREAT, O_EXCL } = constants;
    const file = this.#made
      ? openPlain(path, appending)
      : openSync(path, appending | O_CREAT | O_EXCL, 0o600);
    this.#made = true;
    this.#file = file;
    closeToOthers(file);
    return file;
  }

  /** Returns true if the open file was deleted, so that data written to it would be lost. */
  #isGone(file: number): boolean {
    return fstatSync(file).nlink === 0;
  }

  #drop(): void {
    if (this.#file === undefined) return;
    try {
      closeSync(this.#file);
    } catch {
      // A second close would not help, and the operating system already has the data.
    }
    this.#file = undefined;
  }

  #failed(reason: string): void {
    this.#drop();
    const { path } = this.#parts;
    if (this.#waitingBytes > maxBytesWaiting) {
      this.#trouble = "given-up";
      this.#waiting = [];
      this.#tell(
        `the session is no longer saved (${reason}): too much data waits for the disk. ${path} ends before that data`,
      );
    } else if (this.#trouble === "none") {
      this.#trouble = "told";
      this.#tell(
        `the session is not being saved (${reason}): ${path}. It continues, and saving is retried at each step`,
      );
    }
  }

  /**
   * Syncs the file to the disk after each turn, so that a later power failure does not lose the turn. Nobody waits for the
   * sync; a failed sync is retried at the next step.
   */
  #sync(): void {
    if (this.#file === undefined || this.#syncing || !this.#unsynced) return;
    this.#syncing = true;
    this.#unsynced = false;
    fdatasync(this.#file, (error) => {
      this.#syncing = false;
      if (error !== null) this.#unsynced = true;
      else this.#sync();
    });
  }
}

const lineEnd = Buffer.from("\n");

/** Removes the access of other users, because a file that was restored from a backup may be readable by them. */
function closeToOthers(file: number): void {
  if (process.platform === "win32" || (fstatSync(file).mode & 0o077) === 0) return;
  try {
    fchmodSync(file, 0o600);
  } catch {
    // The file belongs to another user, who lets this program write to it.
  }
}

function isEmpty(file: number): boolean {
  try {
    return fstatSync(file).size === 0;
  } catch {
    return false;
  }
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const one of [dirname(folder), folder]) if (process.platform !== "win32") chmodSync(one, 0o700);
}
