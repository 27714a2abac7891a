/** Reads a session's file, whatever has happened to it: what can be read is read, and what is missing is counted. */
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
  /** In the order of their `seq`; without gaps when `lost` is 0. */
  readonly events: readonly SessionEvent[];
  /** The newest summary. */
  readonly note: SessionNote | undefined;
  /** Events that were written once and are not there any more. */
  readonly lost: number;
  /** Events that are left out because another one has their number. */
  readonly clashing: number;
  /** Lines that are no records; without `lost` they are what was torn and written again. */
  readonly unreadable: number;
  /** The last line has no end: the program, or the machine, ended while it was written. */
  readonly torn: boolean;
  /** Lines that cannot be read and no event behind them: nobody can tell how many events they were. */
  readonly endLost: boolean;
}

/** Throws a `HarnessError` for a file that is none, is empty, is of another program, or of a later version. */
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
 * All that is read stays: V8 takes that for a reason to let the space of young objects grow, by 80 MB for a file of 60 MB,
 * and never gives it back. Without growth the reading takes as long.
 */
function keepYoungSpaceSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  // Whoever reads also folds what was read, in the same step or soon after.
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
  /** What cannot be read since the last event. */
  let behind = 0;
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
        behind += 1;
        return;
      case "event":
        if (order.push(record.event, record.first)) behind = 0;
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
      if (newer !== undefined)
        throw usageError(
          `${path} was written by a later version of localharness (format ${newer}): it is left as it is`,
        );
      if (lines === 0) throw usageError(`${path} is empty: nothing of the session was kept`);
      if (header === undefined && events.length === 0)
        throw usageError(`${path} is no session of localharness: it is left as it is`);
      // Without its header, which is the first line, the file is a session all the same.
      const start = events.find((event) => event.type === "session-start");
      const mended: SessionHeader = { id, workspace: start?.workspace ?? "", created: 0 };
      const endLost = behind > (torn && endsInBeginning(lastLine, id) ? 1 : 0);
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

const beginnings = ['{"seq":', '{"summary":', '{"localharness":'];

/** True when a line ends in a record that was being written when the program ended. For what a machine lost it may leave zeros. */
function endsInBeginning(line: string, id: string): boolean {
  const end = line.slice(Math.max(0, ...beginnings.map((mark) => line.lastIndexOf(mark))));
  const begins = beginnings.some((mark) => end.startsWith(mark) || mark.startsWith(end));
  return begins && !end.includes("\0") && readRecord(end, id).kind === "unreadable";
}

/** At most this many beginnings of records are tried in a line that is none. */
const mostBeginnings = 200;

/** The records of a line in which some lost their line end or are torn, and what is between them. */
function splitGlued(line: string, id: string): readonly SessionRecord[] {
  const begins: number[] = [];
  for (const mark of beginnings)
    for (
      let at = line.indexOf(mark);
      at !== -1 && begins.length < mostBeginnings;
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
