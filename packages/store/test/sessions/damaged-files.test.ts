/** Opens damaged session files: readable events are kept, lost ones are reported, and nothing is overwritten. */
import { appendFileSync, chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { SessionEvent, ToolResult } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { personMessages } from "../../src/sessions/take-up-session.ts";
import {
  fileOf,
  fold,
  linesOf,
  numbered,
  openSessions,
  personIn,
  soundMessages,
  turn,
  write,
} from "./place.ts";

interface Damage {
  readonly what: string;
  do(path: string, lines: readonly string[]): void;
  /** The person's messages that remain; all three when absent. */
  readonly said?: readonly string[];
  /** The call results that remain; all three when absent. */
  readonly found?: readonly string[];
  /** Whether the session continues in the same file, or in a branch. */
  readonly same: boolean;
  readonly remark?: RegExp;
}

const at = (lines: readonly string[], text: string) => lines.findIndex((line) => line.includes(text));
const join = (lines: readonly string[]) => lines.join("\n");
const undone = expect.stringMatching(/lost .* it began, .* Look before you do it again/);

const damages: readonly Damage[] = [
  { what: "nothing", do: () => undefined, same: true },
  {
    what: "a torn last record",
    do: (path) => appendFileSync(path, '{"seq":70,"time":1,"turnId":"turn-4","type":"user-mess'),
    same: true,
    remark: /1 line .* stopped while writing; nothing that was shown as done is missing/,
  },
  {
    what: "a file cut within its last record",
    do: (path, lines) => writeFileSync(path, join(lines.slice(0, -3)) + (lines.at(-3) ?? "").slice(0, 20)),
    same: true,
    remark: /stopped while writing/,
  },
  {
    what: "zeros between records",
    do: (path, lines) =>
      writeFileSync(path, join([...lines.slice(0, 5), "\0".repeat(300), ...lines.slice(5)])),
    same: true,
    remark: /1 line .* nothing that was shown as done is missing/,
  },
  {
    what: "zeros over a message",
    do(path, lines) {
      const index = at(lines, '"two"');
      writeFileSync(path, join(lines.map((line, one) => (one === index ? "\0".repeat(line.length) : line))));
    },
    said: ["one", "three"],
    same: false,
    remark: /damaged: 1 event is lost, 1 line cannot be read.*branch/,
  },
  {
    what: "zeros over the header",
    do: (path, lines) => writeFileSync(path, join(["\0".repeat(100), ...lines.slice(1)])),
    same: true,
    remark: /1 line/,
  },
  {
    what: "garbage",
    do: (path, lines) =>
      writeFileSync(path, join([...lines.slice(0, 9), "%&! not JSON", "[1,2]", "null", ...lines.slice(9)])),
    same: true,
    remark: /3 lines/,
  },
  {
    what: "records that lost their line ends",
    do: (path, lines) => writeFileSync(path, `${lines.slice(0, 3).join("\n")}\n${lines.slice(3).join("")}\n`),
    same: true,
  },
  {
    what: "a torn record with another one behind it",
    do: (path, lines) =>
      writeFileSync(
        path,
        join([...lines.slice(0, 4), `${(lines[4] ?? "").slice(0, 30)}${lines[4]}`, ...lines.slice(5)]),
      ),
    same: true,
    remark: /1 line/,
  },
  {
    what: "a record written twice",
    do: (path, lines) =>
      writeFileSync(path, join(lines.flatMap((line, index) => (index === 7 ? [line, line] : [line])))),
    same: true,
  },
  {
    what: "a number that is damaged, before many more events",
    do: (path, lines) =>
      writeFileSync(path, join(lines).replace(/^\{"seq":(\d+)(.*"turn-start")/m, '{"seq":9$1$2')),
    same: false,
    remark: /1 event is lost, 1 line cannot be read/,
  },
  {
    what: "a number beyond all others",
    do: (path, lines) =>
      writeFileSync(
        path,
        join([
          ...lines.slice(0, 5),
          `{"seq":${Number.MAX_SAFE_INTEGER},"time":1,"type":"turn-start"}`,
          ...lines.slice(5),
        ]),
      ),
    same: true,
    remark: /1 line/,
  },
  {
    what: "a call whose name for its result is damaged",
    do: (path, lines) =>
      writeFileSync(
        path,
        join(lines.map((line) => (line.includes("found 2") ? line.replace("call-2", "call-7") : line))),
      ),
    found: ["found 1", "found 2", expect.stringMatching(/lost .* it began, .* Look before/), "found 3"],
    same: false,
    remark: /damaged: some calls have no result/,
  },
  {
    what: "a result that has become something else",
    do: (path, lines) =>
      writeFileSync(
        path,
        join(lines).replace('"tool-result","callId":"call-2"', '"tool-resulu","callId":"call-2"'),
      ),
    found: ["found 1", undone, "found 3"],
    same: false,
    remark: /damaged: some calls have no result/,
  },
  {
    what: "line ends of another system",
    do: (path, lines) => writeFileSync(path, lines.join("\r\n")),
    same: true,
  },
  {
    what: "a call's result that is gone",
    do: (path, lines) => writeFileSync(path, join(lines.filter((line) => !line.includes("found 2")))),
    found: ["found 1", undone, "found 3"],
    same: false,
    remark: /2 events are lost/,
  },
  {
    what: "zeros over all that followed a call",
    do(path, lines) {
      const start = lines.findIndex((line) => line.includes('"tool-start"') && line.includes('"call-3"'));
      const zeros = "\0".repeat(join(lines.slice(start)).length);
      writeFileSync(path, `${join(lines.slice(0, start))}\n${zeros}\n`);
    },
    found: ["found 1", "found 2", expect.stringMatching(/is lost .* it may have run/)],
    same: false,
    remark: /its end is lost/,
  },
  {
    what: "an answer whose end is gone",
    do: (path, lines) => writeFileSync(path, join(lines.filter((line) => !line.includes('"tool-calls"')))),
    same: false,
    remark: /events are lost/,
  },
  {
    what: "a call that is gone, but for its result",
    do(path, lines) {
      const kept = lines.filter((line) => !line.includes('"call-2"') || line.includes("found 2"));
      writeFileSync(path, join(kept));
    },
    same: false,
    remark: /events are lost/,
  },
  {
    what: "an answer that is gone",
    do: (path, lines) => writeFileSync(path, join(lines.filter((line) => !line.includes('"call-2"')))),
    found: ["found 1", "found 3"],
    same: false,
    remark: /events are lost/,
  },
  {
    what: "a beginning that is gone",
    do: (path, lines) => writeFileSync(path, join(lines.slice(at(lines, '"two"')))),
    said: ["two", "three"],
    found: ["found 2", "found 3"],
    same: false,
    remark: /lost/,
  },
  {
    what: "an event of a later version",
    do: (path) => appendFileSync(path, '{"seq":71,"time":1,"turnId":"","type":"dreamt","of":[1]}\n'),
    same: true,
  },
  {
    what: "an event without what it must have",
    do: (path) => appendFileSync(path, '{"seq":70,"time":1,"turnId":"","type":"tool-result","callId":"x"}\n'),
    same: false,
    remark: /damaged: 1 line cannot be read, and its end is lost: it continues in the branch/,
  },
  {
    what: "zeros from a call's result on",
    do(path, lines) {
      const from = at(lines, "found 3");
      writeFileSync(path, join([...lines.slice(0, from), "\0".repeat(join(lines.slice(from)).length)]));
    },
    found: ["found 1", "found 2", undone],
    same: false,
    remark: /damaged: 1 line cannot be read, and its end is lost/,
  },
  {
    what: "a last record that ends in zeros",
    do: (path) => appendFileSync(path, `{"seq":70,"time":1,"turnId":${"\0".repeat(50)}`),
    same: false,
    remark: /its end is lost/,
  },
  {
    what: "garbage and a torn last record",
    do: (path) => appendFileSync(path, '%&!\n{"seq":70,"time":1,"turnId":"turn-4","ty'),
    same: false,
    remark: /2 lines cannot be read, and its end is lost/,
  },
  {
    what: "a torn record that begins behind another one",
    do: (path, lines) => writeFileSync(path, `${join(lines).trimEnd()}{"se{"seq":70,"ti`),
    same: false,
    remark: /its end is lost/,
  },
  {
    what: "a torn last record on the line of another one",
    do: (path, lines) => writeFileSync(path, `${join(lines).trimEnd()}{"seq":70,"ti`),
    same: true,
    remark: /1 line .* stopped while writing; nothing that was shown as done is missing/,
  },
];

describe("a session with", () => {
  test.each(damages)(
    "$what goes on",
    async ({
      do: damage,
      said = ["one", "two", "three"],
      found = ["found 1", "found 2", "found 3"],
      ...one
    }) => {
      const { same, remark } = one;
      const { state, sessions } = openSessions();
      write(sessions, "s1", ["one", "two", "three"]);
      damage(fileOf(sessions, "s1"), linesOf(sessions, "s1"));
      const before = readFileSync(fileOf(sessions, "s1"));
      const earlier = await sessions.openSession("s1");
      expect(earlier.id === "s1").toBe(same);
      expect(soundMessages(earlier.events)).toEqual(said);
      expect(resultsIn(earlier.events)).toEqual(found);
      expect(earlier.remarks.join()).toMatch(remark ?? /^$/);
      const begin = fold(earlier.events).messages[0];
      if (!same) expect(begin).toMatchObject({ role: "system", content: "Begin." });

      // The next program reads the appended events, and the earlier ones are still there.
      const last = earlier.events.at(-1)?.seq ?? 0;
      for (const event of numbered(earlier.id, turn(9, "later"), last + 1)) earlier.writer.append(event);
      earlier.writer.close();
      expect(readFileSync(fileOf(sessions, "s1")).subarray(0, before.length).equals(before)).toBe(true);
      const again = openSessions(state).sessions;
      expect(await personIn(again, earlier.id)).toEqual([...said, "later"]);
      expect((await again.listSessions("")).map(({ id }) => id)).toContain(earlier.id);
    },
  );
});

/** Returns the result of each call as the model reads it. */
function resultsIn(events: readonly SessionEvent[]): readonly (string | null)[] {
  return fold(events).messages.flatMap((message) => {
    if (message.role !== "tool") return [];
    const { data, error_message } = JSON.parse(message.content) as ToolResult;
    return [data ?? error_message];
  });
}

test("a damaged session is forked from before the message that was meant", async () => {
  const { sessions } = openSessions();
  write(sessions, "s1", ["one", "two", "three"]);
  const lines = linesOf(sessions, "s1");
  writeFileSync(fileOf(sessions, "s1"), join(lines.filter((line) => !line.includes("found 1"))));
  for (const [index, { seq, content }] of personMessages(await sessions.readEvents("s1")).entries()) {
    const fork = await sessions.forkSession("s1", seq);
    fork.writer.close();
    expect(soundMessages(fork.events), content).toEqual(["one", "two"].slice(0, index));
    expect(resultsIn(fork.events)).toEqual([undone, "found 2"].slice(0, index));
    expect(fold(fork.events).turn.running).toBe(false);
  }
  writeFileSync(fileOf(sessions, "s1"), join(lines.slice(at(lines, '"three"'))));
  const [only] = personMessages(await sessions.readEvents("s1"));
  const fork = await sessions.forkSession("s1", only?.seq ?? 0);
  expect(fold(fork.events).messages).toEqual([{ role: "system", content: "Begin." }]);
});

describe("a file that is no session of this version", () => {
  test.each([
    ["empty", "", /is empty/],
    [
      "of a later version",
      '{"localharness":"session","version":999,"id":"s1"}\n',
      /later version .*update to open it/,
    ],
    [
      "of another program",
      '{"type":"header","version":3}\n{"role":"user"}\n',
      /not a session of localharness/,
    ],
    ["no text", "\u0000\u0001\u0002".repeat(1000), /not a session of localharness/],
    [
      "only a header",
      '{"localharness":"session","version":1,"id":"s1","workspace":"/w","created":1}\n',
      /no events to continue from/,
    ],
  ])("is refused when it is %s, and left alone", async (_what, text, message) => {
    const { sessions } = openSessions();
    write(sessions, "s0", ["another"]);
    writeFileSync(fileOf(sessions, "s1"), text);
    await expect(sessions.openSession("s1")).rejects.toThrow(message);
    expect(readFileSync(fileOf(sessions, "s1"), "utf8")).toBe(text);
    expect(readdirSync(sessions.folder).filter((name) => name.includes("lock"))).toEqual([]);
    expect(await sessions.newestSession("all")).toBe("s0");
  });

  test("is said to be missing when it is not there", async () => {
    await expect(openSessions().sessions.openSession("none")).rejects.toThrow(/there is no session/);
  });

  test.each(["../s1", "a/b", "", ".hidden", "x".repeat(100)])("has no such name: %s", async (id) => {
    await expect(openSessions().sessions.openSession(id)).rejects.toThrow(/not a session id/);
  });
});

test.skipIf(process.getuid?.() === 0)("a file that cannot be written goes on in a branch", async () => {
  const { sessions } = openSessions();
  write(sessions, "s1", ["one"]);
  chmodSync(fileOf(sessions, "s1"), 0o400);
  const earlier = await sessions.openSession("s1");
  expect(earlier.remarks.join()).toMatch(/cannot be written.*branch/);
});

test("a file that is removed while it is open is said to be gone", () => {
  const { sessions } = openSessions();
  const writer = sessions.startSession("s1");
  const told: string[] = [];
  writer.tellTo((message) => told.push(message));
  const [first, ...others] = numbered("s1", turn(1, "one"));
  if (first !== undefined) writer.append(first);
  for (const event of others.slice(0, 1)) writer.append(event);
  rmSync(fileOf(sessions, "s1"));
  for (const event of others.slice(1)) writer.append(event);
  expect(told).toEqual([expect.stringMatching(/not being saved/)]);
});
