/**
 * Lets each file operation on a session's file fail in turn: the session continues, missing events are reported, and
 * the rest of the file is valid.
 */
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "@localharness/protocol";
import { describe, expect, test, vi } from "vitest";
import { describeFault, type Fault, faultsOf, type Operation } from "../../../../test/faults/disk-faults.ts";
import { openFailingDisk } from "../../../../test/faults/open-failing-disk.ts";
import { readSessionFile } from "../../src/sessions/read-session.ts";
import {
  fileOf,
  linesOf,
  numbered,
  openSessions,
  soundMessages,
  start,
  turn,
  write,
} from "../sessions/place.ts";

const { folder, disk } = await openFailingDisk("memory");
const state = join(folder, "state");

interface Scenario {
  readonly title: string;
  /** Number of messages in the session before. */
  readonly before: readonly string[];
}

const scenarios: readonly Scenario[] = [
  { title: "a new session", before: [] },
  { title: "a session that is gone on with", before: ["zero"] },
];

function reset({ before }: Scenario): void {
  rmSync(state, { recursive: true, force: true });
  if (before.length > 0) write(openSessions(state).sessions, "s1", before);
}

interface Ran {
  readonly id: string;
  readonly told: readonly string[];
  readonly said: readonly SessionEvent[];
}

/** Writes two turns. Returns the warnings about the disk; undefined when the session could not be opened. */
function run({ before }: Scenario, fault: Fault | undefined) {
  return disk.during(fault, async (): Promise<Ran | string> => {
    const { sessions } = openSessions(state);
    const told: string[] = [];
    try {
      const earlier = before.length === 0 ? undefined : await sessions.openSession("s1");
      const [id, writer] = [earlier?.id ?? "s1", earlier?.writer ?? sessions.startSession("s1")];
      writer.tellTo((message) => told.push(message));
      const last = earlier?.events.at(-1)?.seq ?? 0;
      const bodies = [...turn(1, "one"), ...turn(2, "two")];
      const said = numbered(id, earlier === undefined ? [start, ...bodies] : bodies, last + 1);
      for (const event of said) writer.append(event);
      sessions.close();
      return { id, told, said: [...(earlier?.events ?? []), ...said] };
    } catch (error) {
      sessions.close();
      return error instanceof Error ? error.message : String(error);
    }
  });
}

/** Returns what is wrong after the fault; an empty list when nothing is. */
async function problems({ before }: Scenario, ran: Ran | string): Promise<readonly string[]> {
  const open = disk.openDescriptors();
  const found = open.length > 0 ? [`open: ${open.join(", ")}`] : [];
  const { sessions } = openSessions(state);
  if (typeof ran === "string") {
    if (before.length === 0) found.push(`it threw: ${ran}`);
    if (ran.length < 20) found.push(`says: ${ran}`);
    const { events } = await readSessionFile(fileOf(sessions, "s1"));
    if (soundMessages(events).join() !== before.join()) found.push("the session that was there is not whole");
    return found;
  }
  const path = fileOf(sessions, ran.id);
  const read = existsSync(path) && statSync(path).size > 0 ? await readSessionFile(path) : undefined;
  const kept = read?.events ?? [];
  if (read !== undefined && read.lost > 0) found.push(`${read.lost} events are lost in between`);
  const all = ran.said.at(-1)?.seq === kept.at(-1)?.seq;
  const last = ran.told.at(-1) ?? "";
  if (!all && !/not being saved/.test(last)) {
    found.push(`ends at ${kept.at(-1)?.seq}, told: ${ran.told.join("; ")}`);
  }
  if (all && /not being saved/.test(last) && ran.told.length > 1) found.push("told of trouble that is over");
  if (ran.told.length > 20) found.push(`told ${ran.told.length} times`);
  if (read !== undefined && (statSync(path).mode & 0o777) !== 0o600) found.push("it is not private");
  if (kept.length > 0 && !kept.some(({ type }) => type === "session-start")) {
    found.push("it has no beginning");
  }
  return found;
}

describe("every operation on the disk fails in turn", () => {
  test.each(scenarios)("$title", async (scenario) => {
    reset(scenario);
    const { result, operations } = await run(scenario, undefined);
    expect(result).toMatchObject({ told: [] });
    expect(await problems(scenario, result)).toEqual([]);
    const wrong: string[] = [];
    const faults = faultsOf(operations);
    for (const fault of faults) {
      reset(scenario);
      const ran = await run(scenario, fault);
      const found = await problems(scenario, ran.result);
      if (found.length > 0) wrong.push(`${describeFault(fault, operations)}: ${found.join("; ")}`);
    }
    if (process.env["FAULTS_REPORT"]) {
      console.log(scenario.title, operations.length, faults.length, wrong.length);
    }
    expect(wrong).toEqual([]);
    expect(operations.length).toBeGreaterThan(20);
  });
});

describe("what a turn wrote is put on the disk itself", () => {
  const syncs = (operations: readonly Operation[]) =>
    operations.filter(({ name }) => name === "fdatasync").length;
  const two = numbered("s1", [start, ...turn(1, "one"), ...turn(2, "two")]);

  test("also when it ends while the turn before is still on its way", async () => {
    rmSync(state, { recursive: true, force: true });
    await disk.during(undefined, async (sofar) => {
      const { sessions } = openSessions(state);
      const writer = sessions.startSession("s1");
      for (const event of two) writer.append(event);
      await vi.waitFor(() => expect(syncs(sofar)).toBe(2), 60_000);
      sessions.close();
    });
  });

  test("also when the disk refused once, at the next step", async () => {
    const write = (fault: Fault | undefined) => {
      rmSync(state, { recursive: true, force: true });
      return disk.during(fault, async (sofar) => {
        const { sessions } = openSessions(state);
        const writer = sessions.startSession("s1");
        for (const event of two) writer.append(event);
        await vi.waitFor(() => expect(syncs(sofar)).toBeGreaterThan(0), 60_000);
        if (fault === undefined) return sessions.close();
        await new Promise((resolve) => setImmediate(resolve));
        for (const event of numbered("s1", turn(3, "three"), two.length + 1).slice(0, 2))
          writer.append(event);
        expect(syncs(sofar)).toBe(2);
        sessions.close();
      });
    };
    const { operations } = await write(undefined);
    const at = operations.findIndex(({ name }) => name === "fdatasync") + 1;
    await write({ at, code: "EIO", lasting: false, kind: "refuse" });
  });
});

test("a file that could not be made at first begins with its header all the same", async () => {
  const write = (fault: Fault | undefined) => {
    rmSync(state, { recursive: true, force: true });
    return disk.during(fault, async () => {
      const { sessions } = openSessions(state);
      const writer = sessions.startSession("s1");
      for (const event of numbered("s1", [start, ...turn(1, "one")])) writer.append(event);
      sessions.close();
      return linesOf(sessions, "s1")[0];
    });
  };
  const { operations } = await write(undefined);
  const first = operations.findIndex(({ name }) => name === "writeSync");
  expect(first).toBeGreaterThan(0);
  for (let at = 1; at <= first + 1; at += 1) {
    const { result } = await write({ at, code: "ENOSPC", lasting: false, kind: "refuse" });
    expect(result, operations[at - 1]?.name).toMatch(/^\{"localharness":"session"/);
  }
});
