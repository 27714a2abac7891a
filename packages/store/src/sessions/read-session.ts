/**
 * Reads a session's file, even if it is damaged. Returns all events that can be read, and counts the missing events.
 */
import { basename } from "node:path";
import { setFlagsFromString } from "node:v8";
import { usageError } from "@localharness/engine";
import type { SessionEvent } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";
import { type FileLine, readLines } from "../kept-file/read-lines.ts";
import { createEventsInOrder } from "./events-in-order.ts";
import { sessionEnding } from "./session-place.ts";
import { readRecord, type SessionHeader, type SessionNote, type SessionRecord } from "./session-record.ts";

export interface ReadSession {
  readonly header: SessionHeader;
  /** The events in the order of `seq`. None is missing between two of them if `lost` is 0. */
  readonly events: readonly SessionEvent[];
  /** The newest summary. */
  readonly note: SessionNote | undefined;
  /** The number of events that were written and are missing now. */
  readonly lost: number;
  /** The number of events that were left out because another event has the same `seq`. */
  readonly clashing: number;
  /**
   * The number of lines that are not valid records, and of events with a damaged `seq`. If `lost` is 0 and `endLost` is
   * false, nothing that a screen showed as done is missing because of them.
   */
  readonly unreadable: number;
  /** True if the last line has no line break, because the program or the machine stopped while writing it. */
  readonly torn: boolean;
  /**
   * True if the file ends with unreadable records other than one unfinished record. `lost` does not count the events
   * that are lost there.
   */
  readonly endLost: boolean;
}

/**
 * Reads a session file. Rejects with a `HarnessError` if the file is missing, cannot be read, is empty or not a session
 * file, or was written by a later version.
 */
export async function readSessionFile(path: string): Promise<ReadSession> {
  const reading = createReading(basename(path, sessionEnding));
  keepYoungSpaceSmall();
  try {
    for await (const lines of readLines(path)) for (const line of lines) reading.take(line);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (missing) throw usageError(`there is no session ${path}: localharness sessions list shows them`);
    if (error instanceof Error && error.name === "HarnessError") throw error;
    throw usageError(`${path} cannot be read: ${reasonOf(error)}`, error);
  }
  return reading.end(path);
}

/**
 * Stops V8 from enlarging its space for young objects while a session is read. All objects that are read survive, so V8
 * would enlarge that space by 80 MB for a file of 60 MB, and would never shrink it. Reading is not slower with the
 * small space.
 */
function keepYoungSpaceSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  // The caller folds the events right after reading them, so the limit stays in force for 2 seconds.
  clearTimeout(growingAgain);
  growingAgain = setTimeout(() => setFlagsFromString("--semi-space-growth-factor=2"), 2_000).unref();
}

let growingAgain: NodeJS.Timeout | undefined;

interface Reading {
  take(line: FileLine): void;
  end(path: string): ReadSession;
}

function createReading(id: string): Reading {
  const order = createEventsInOrder();
  const { events } = order;
  let header: SessionHeader | undefined;
  let note: SessionNote | undefined;
  let newer: number | undefined;
  let unreadable = 0;
  let torn = false;
  /** The number of unreadable records since the last event that was added. */
  let unreadableAtEnd = 0;
  let lastLine = "";
  let lines = 0;

  const keep = (record: SessionRecord): void => {
    switch (record.kind) {
      case "header":
        header ??= record.header;
        return;
      case "newer":
        newer ??= record.version;
        return;
      case "note":
        note = record.note;
        return;
      case "unreadable":
        unreadableAtEnd += 1;
        return;
      case "event":
        if (order.push(record.event, record.first)) unreadableAtEnd = 0;
    }
  };
  return {
    take({ text, ended }) {
      torn = !ended;
      const line = text.endsWith("\r") ? text.slice(0, -1) : text;
      if (line === "") return;
      lines += 1;
      lastLine = line;
      const whole = readRecord(line, id);
      const records = whole.kind === "unreadable" ? splitGlued(line, id) : [whole];
      if (records.some(({ kind }) => kind === "unreadable")) unreadable += 1;
      for (const record of records) keep(record);
    },
    end(path) {
      if (newer !== undefined) {
        throw usageError(
          `${path} was written by a later version of localharness (format ${newer}): update to open it`,
        );
      }
      if (lines === 0) throw usageError(`${path} is empty: nothing of the session was saved`);
      if (header === undefined && events.length === 0) {
        throw usageError(`${path} is not a session of localharness: nothing was changed`);
      }
      // The header may be lost. A file with events is still a session.
      const start = events.find((event) => event.type === "session-start");
      const mended: SessionHeader = { id, workspace: start?.workspace ?? "", created: 0 };
      const endLost = unreadableAtEnd > (torn && endsInBeginning(lastLine, id) ? 1 : 0);
      const { lost, misnumbered, clashing } = order;
      return {
        header: header ?? mended,
        events,
        note,
        lost,
        clashing,
        unreadable: unreadable + misnumbered,
        torn,
        endLost,
      };
    },
  };
}

/** The beginnings of records, one for each kind. */
const beginnings = ['{"seq":', '{"summary":', '{"localharness":'];

/**
 * Returns true if a line ends with the beginning of a record, as if the program stopped while writing it. A line with
 * zero bytes does not count: a crashed machine leaves zeros in place of lost data.
 */
function endsInBeginning(line: string, id: string): boolean {
  const end = line.slice(Math.max(0, ...beginnings.map((mark) => line.lastIndexOf(mark))));
  const begins = beginnings.some((mark) => end.startsWith(mark) || mark.startsWith(end));
  return begins && !end.includes("\0") && readRecord(end, id).kind === "unreadable";
}

/** The maximum number of possible beginnings of records that are tried in one line. It limits the time. */
const maxBeginnings = 200;

/**
 * Splits a line whose records are torn or have lost their line breaks. The text between valid records becomes
 * `unreadable`.
 */
function splitGlued(line: string, id: string): readonly SessionRecord[] {
  const begins: number[] = [];
  for (const mark of beginnings)
    for (
      let at = line.indexOf(mark);
      at !== -1 && begins.length < maxBeginnings;
      at = line.indexOf(mark, at + 1)
    )
      begins.push(at);
  begins.sort((left, right) => left - right);
  const records: SessionRecord[] = begins[0] === 0 ? [] : [{ kind: "unreadable" }];
  for (let index = 0; index < begins.length; ) {
    const ends = [...begins.slice(index + 1), line.length];
    const end = ends.findIndex((at) => readRecord(line.slice(begins[index], at), id).kind !== "unreadable");
    records.push(readRecord(line.slice(begins[index], ends[Math.max(0, end)]), id));
    index += end === -1 ? 1 : end + 1;
  }
  return records;
}
