/**
 * Writes a session's events to its file as they happen. What a person could have seen as done is handed to the system
 * before any screen hears of it; deltas wait until then, or half a second. A disk that refuses is told once, and tried
 * again with everything that is missing.
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
import { openPlain } from "@localharness/tools";
import { createMessageCounter, type MessageCounter } from "./count-messages.ts";
import { createEventJoiner } from "./join-events.ts";
import { lockNewSession, type SessionLock } from "./session-lock.ts";
import { headerLine, noteLine, type SessionHeader } from "./session-record.ts";
import type { Masking } from "./split-secret.ts";

export interface SessionWriter extends TranscriptStore {
  readonly counter: MessageCounter;
  /** Where the person is told what the disk does, in words; what was to be told before is told now. */
  tellTo(tell: (message: string) => void): void;
  /** Hands all that is held back to the system. False when the disk refuses. */
  flush(): boolean;
  /** Writes the summary anew. False when the disk refuses. */
  writeNote(): boolean;
  close(): void;
}

export interface WriterParts extends Masking {
  readonly path: string;
  /** Of a file that is yet to be made; it is made at the first event. */
  readonly header?: SessionHeader;
  /** Of a file that is there. */
  readonly lock?: SessionLock;
  /** The file that is there does not end in a line end. */
  readonly torn?: boolean;
  /** The last `seq` in it. */
  readonly after?: number;
  readonly counter?: MessageCounter;
}

/** How the file of a session is opened: never through a link. */
export const appending = constants.O_APPEND | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

const heldBackMs = 500;
/** Of what a disk did not take; beyond it nothing more is kept. */
const mostBytesWaiting = 64 * 1024 * 1024;
const mostBytesAtOnce = 1024 * 1024;

/** Only shown while they happen, or of no use to anybody but the view: nobody takes them for something done. */
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
  /** Not written yet: a session in which nothing happens leaves no file. */
  #header: SessionHeader | undefined;
  #file: number | undefined;
  #lock: SessionLock | undefined;
  #made: boolean;
  /** Lines that the system has not taken yet. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** The file ends within a line. */
  #torn: boolean;
  #timer: NodeJS.Timeout | undefined;
  #trouble: "none" | "told" | "given-up" = "none";
  #syncing = false;
  /** What was written is yet to be put on the disk itself. */
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
      this.#timer ??= setTimeout(() => this.#hand(this.#joiner.ready()), heldBackMs).unref();
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

  /** False when the disk refuses. */
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
    if (wasTold) this.#tell("the session is saved again, nothing is missing");
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

  /** What was written in part is written again as a whole line of its own: readers pass over the torn one. */
  #write(file: number): void {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.slice(0, this.#linesAtOnce());
      const bytes = Buffer.concat(this.#torn ? [lineEnd, ...lines] : lines);
      try {
        const written = writeSync(file, bytes);
        if (written === 0) throw new Error("the disk took nothing");
        this.#settle(this.#torn ? written - lineEnd.length : written);
      } catch (error) {
        // Nobody knows how much of it was written.
        this.#torn = !isEmpty(file);
        throw error;
      }
    }
  }

  /** A disk that refuses is asked at each step: what waits for it is not put together each time. */
  #linesAtOnce(): number {
    let bytes = 0;
    const end = this.#waiting.findIndex((line) => {
      bytes += line.length;
      return bytes > mostBytesAtOnce;
    });
    return end === -1 ? this.#waiting.length : Math.max(1, end);
  }

  /** Takes away the lines that are written whole. */
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

  /** Somebody has removed the file: what is written to it nobody would ever find. */
  #isGone(file: number): boolean {
    return fstatSync(file).nlink === 0;
  }

  #drop(): void {
    if (this.#file === undefined) return;
    try {
      closeSync(this.#file);
    } catch {
      // What was written is written.
    }
    this.#file = undefined;
  }

  #failed(reason: string): void {
    this.#drop();
    const { path } = this.#parts;
    if (this.#waitingBytes > mostBytesWaiting) {
      this.#trouble = "given-up";
      this.#waiting = [];
      this.#tell(
        `the session is not saved any more (${reason}): too much is waiting for the disk. ${path} ends before that`,
      );
    } else if (this.#trouble === "none") {
      this.#trouble = "told";
      this.#tell(
        `the session is not being saved (${reason}): ${path}. It goes on all the same, and saving is tried at each step`,
      );
    }
  }

  /** Power may fail as well: begun at the end of each turn, nobody waits for it, and what fails is tried at the next step. */
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

/** A copy that was brought back may have been open to others. */
function closeToOthers(file: number): void {
  if (process.platform === "win32" || (fstatSync(file).mode & 0o077) === 0) return;
  try {
    fchmodSync(file, 0o600);
  } catch {
    // It belongs to somebody else, who has let this program write.
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
