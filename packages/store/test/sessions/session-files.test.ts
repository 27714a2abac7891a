/** Checks what is written of a session, and how it is listed, searched, forked and exported. */
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock, toResult } from "@localharness/engine";
import type { EventBody } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { rowsToChoose } from "../../src/sessions/session-line.ts";
import { fileOf, fold, linesOf, numbered, openSessions, soundMessages, start, turn, write } from "./place.ts";

describe("what is written", () => {
  test("folds to what happened, with deltas joined", async () => {
    const { sessions } = openSessions();
    const events = write(sessions, "s1", ["one", "two"]);
    const read = await sessions.readEvents("s1");
    expect(fold(read)).toEqual(fold(events));
    expect(read.length).toBeLessThan(events.length - 9);
    expect(read.filter(({ type }) => type === "reasoning-delta")).toHaveLength(2);
  });

  test("after any event, once it is flushed, folds to what happened but for progress", async () => {
    const all = numbered("s1", [start, ...turn(1, "one")]);
    for (let length = 1; length <= all.length; length += 1) {
      const { sessions } = openSessions();
      const writer = sessions.startSession("s1");
      for (const event of all.slice(0, length)) writer.append(event);
      const { lastSeq: _seq, running, ...view } = fold(await sessions.readEvents("s1"));
      const { lastSeq: _all, running: wanted, ...expected } = fold(all.slice(0, length));
      expect(view).toEqual(expected);
      expect(running).toEqual(wanted.map((call) => ({ ...call, progress: "" })));
      writer.close();
    }
  });

  test("is on the disk before a screen hears of it, when a person could take it for done", () => {
    const { sessions } = openSessions();
    const writer = sessions.startSession("s1");
    const held = ["text-delta", "reasoning-delta", "usage", "executor-state", "turn-start"];
    for (const event of numbered("s1", [start, ...turn(1, "one")])) {
      writer.append(event);
      if (held.includes(event.type) || /^(tool-(call|progress)|iteration)/.test(event.type)) continue;
      const last = linesOf(sessions, "s1").findLast((line) => line.startsWith('{"seq":'));
      expect(JSON.parse(last ?? "{}")).toMatchObject({ seq: event.seq, type: event.type });
    }
    writer.close();
  });

  test("is for the person alone, and one line for each record whatever is in it", () => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["a\nb\r\nc\u2028d\u0000\ud800"]);
    expect(statSync(fileOf(sessions, "s1")).mode & 0o777).toBe(0o600);
    expect(statSync(sessions.folder).mode & 0o777).toBe(0o700);
    expect(statSync(dirname(sessions.folder)).mode & 0o777).toBe(0o700);
    for (const line of linesOf(sessions, "s1").slice(0, -1)) expect(JSON.parse(line)).toBeTypeOf("object");
    expect(readdirSync(sessions.folder)).toEqual(["s1.jsonl"]);
  });

  test("holds no secret, also one that came in pieces", () => {
    const secret = "sk-0123456789abcdef";
    const { sessions } = openSessions(undefined, {
      mask: (text) => text.replaceAll(secret, "[hidden]"),
      secrets: [secret],
    });
    const writer = sessions.startSession("s1");
    for (const event of numbered("s1", [
      start,
      { type: "user-message", content: `my key is ${secret}`, from: "person" },
      ...[...secret].map((text) => ({ type: "text-delta", text }) as const),
      { type: "tool-call-end", index: 0, id: "c", name: "ls", arguments: { key: [secret] } },
      { type: "model-end", stopReason: "stop" },
      {
        type: "tool-result",
        callId: "c",
        toolName: `ls_${secret}`,
        result: toResult({ ok: true, data: "" }, systemClock, 1),
        display: `[Tool: ls_${secret}]`,
        achieved: [{ kind: "wrote", subject: `${secret}.txt` }],
      },
      { type: "turn-end", reason: "done", denied: 0 },
    ]))
      writer.append(event);
    writer.close();
    const text = readFileSync(fileOf(sessions, "s1"), "utf8");
    expect(text).not.toContain(secret);
    expect(text.match(/\[hidden\]/g)).toHaveLength(7);
  });

  test("is no file at all before anything happens", () => {
    const { state, sessions } = openSessions();
    sessions.startSession("s1").close();
    expect(readdirSync(state)).toEqual([]);
  });
});

describe("sessions", () => {
  test("are listed with the model that answered last", async () => {
    const { state, sessions } = openSessions();
    const changed = { type: "model-changed", model: "other", provider: "p" } as const;
    const writer = sessions.startSession("s1");
    for (const event of numbered("s1", [start, ...turn(1, "one"), changed, ...turn(2, "two")]))
      writer.append(event);
    writer.close();
    expect(await openSessions(state).sessions.listSessions("")).toMatchObject([{ model: "other" }]);
  });

  test("are listed newest first, found by number, beginning and name, renamed and deleted", async () => {
    const { sessions } = openSessions();
    for (const [index, id] of ["abc-1", "abd-2", "xyz-3"].entries()) {
      write(sessions, id, [`message of ${id}`]);
      utimesSync(fileOf(sessions, id), 1_000 + index, 1_000 + index);
    }
    await sessions.renameSession("abc-1", "  My \n name ");
    const listed = await sessions.listSessions("");
    expect(listed.map(({ id, name, messages, model }) => [id, name, messages, model])).toEqual([
      ["xyz-3", "message of xyz-3", 3, "m"],
      ["abd-2", "message of abd-2", 3, "m"],
      ["abc-1", "My name", 3, "m"],
    ]);
    expect(await sessions.newestSession("all")).toBe("xyz-3");
    for (const [wanted, id] of [
      ["x", "xyz-3"],
      ["abd", "abd-2"],
      ["3", "abc-1"],
      ["my NAME", "abc-1"],
    ] as const)
      expect(await sessions.findSession(wanted)).toBe(id);
    await expect(sessions.findSession("ab")).rejects.toThrow(/2 session ids begin with "ab"/);
    await expect(sessions.findSession("9")).rejects.toThrow(/no session "9" in this folder\. The newest is /);
    await expect(sessions.findSession("abd-3")).rejects.toThrow(/Did you mean abd-2\?/);
    await sessions.deleteSession("xyz-3");
    expect((await sessions.listSessions("")).map(({ id }) => id)).toEqual(["abd-2", "abc-1"]);
    expect(readdirSync(sessions.folder)).toEqual(["abc-1.jsonl", "abd-2.jsonl"]);
  });

  test.each<[string, readonly ("chat" | "run")[], string, readonly number[]]>([
    ["a run after a chat", ["chat", "run"], "s0", [2]],
    ["a chat between runs", ["run", "chat", "run", "run"], "s1", [3]],
    ["only runs", ["run", "run"], "s1", [1, 2]],
    ["chats after a run", ["run", "chat", "chat"], "s2", [1, 2]],
  ])(
    "of runs are not continued by a chat unless there are no others: %s",
    async (_title, kinds, id, numbers) => {
      const { sessions } = openSessions();
      for (const [index, kind] of kinds.entries()) {
        write(sessions, `s${index}`, ["hi"], undefined, kind === "run");
        utimesSync(fileOf(sessions, `s${index}`), 1_000 + index, 1_000 + index);
      }
      expect(await sessions.newestSession("chats")).toBe(id);
      expect(await sessions.newestSession("all")).toBe(`s${kinds.length - 1}`);
      const rows = rowsToChoose(await sessions.listSessions(""), 20, Date.now());
      const numbered = rows.map((row) => Number(/^ +(\d+) /.exec(row)?.[1])).filter((number) => number > 0);
      expect(numbered).toEqual(numbers);
      for (const number of numbers) {
        expect(await sessions.findSession(String(number))).toBe(`s${kinds.length - number}`);
      }
      expect(rows.length - numbered.length).toBe(kinds.length > numbers.length ? 1 : 0);
    },
  );

  test("are listed also when they were broken off, and while they are open", async () => {
    const { sessions } = openSessions();
    const writer = sessions.startSession("s1");
    for (const event of numbered("s1", [start, ...turn(1, "x".repeat(9_000)).slice(0, 12)]))
      writer.append(event);
    expect(await sessions.listSessions("")).toMatchObject([{ id: "s1", messages: 2 }]);
    await sessions.renameSession("s1", "open");
    expect(await sessions.listSessions("")).toMatchObject([{ name: "open" }]);
    await expect(sessions.deleteSession("s1")).rejects.toThrow(/is open/);
    writer.close();
  });

  test("are searched by what was said, not by what all of them have", async () => {
    const { sessions } = openSessions();
    write(sessions, "s1", ['a "quoted" Word\nand täglich']);
    write(sessions, "s2", ["nothing of it"]);
    const found = async (words: string) => (await sessions.listSessions(words)).map(({ id }) => id);
    expect(await found('"QUOTED" word')).toEqual(["s1"]);
    expect(await found("TÄGLICH")).toEqual(["s1"]);
    expect((await found("found 1 answer")).toSorted()).toEqual(["s1", "s2"]);
    expect(await found("session-start")).toEqual([]);
    expect(await found("Begin.")).toEqual([]);
    expect((await sessions.listSessions("täglich"))[0]?.excerpt).toBe('a "quoted" Word and täglich');
  });

  test("are searched until nobody wants to know any more", async () => {
    const { sessions } = openSessions();
    for (const id of ["s1", "s2", "s3"]) write(sessions, id, ["one"]);
    const wanted = new AbortController();
    const searching = sessions.listSessions("one", wanted.signal);
    wanted.abort();
    expect(await searching).toEqual([]);
    expect(await sessions.listSessions("one")).toHaveLength(3);
  });

  test("are forked from before a message, as a tree that outlives its root", async () => {
    const { sessions } = openSessions();
    const events = write(sessions, "s1", ["one", "two", "three"]);
    const seq = events.find((event) => event.type === "user-message" && event.content === "three")?.seq ?? 0;
    const fork = await sessions.forkSession("s1", seq);
    expect(soundMessages(fork.events)).toEqual(["one", "two"]);
    expect(fold(fork.events).turn.running).toBe(false);
    fork.writer.close();
    const second =
      fork.events.find((event) => event.type === "user-message" && event.content === "two")?.seq ?? 0;
    const deeper = await sessions.forkSession(fork.id, second);
    expect(soundMessages(deeper.events)).toEqual(["one"]);
    deeper.writer.close();
    const tree = (await sessions.listForks(fork.id)).map(({ id, depth, current }) => [id, depth, current]);
    expect(tree).toEqual([
      ["s1", 0, false],
      [fork.id, 1, true],
      [deeper.id, 2, false],
    ]);
    await sessions.deleteSession("s1");
    expect(soundMessages(await sessions.readEvents(deeper.id))).toEqual(["one"]);
    expect((await sessions.listForks(deeper.id)).map(({ id }) => id)).toEqual([fork.id, deeper.id]);
    await expect(sessions.forkSession(fork.id, 1)).rejects.toThrow(/not one of your messages/);
  });
});

test("a fork from before a message that notes to the model went before keeps them, and nothing of it was interrupted", async () => {
  const { sessions } = openSessions();
  const note: EventBody = { type: "user-message", content: "a.txt was undone", from: "harness" };
  const events = numbered("s1", [start, ...turn(1, "one"), ...turn(2, "two").toSpliced(1, 0, note)]);
  const writer = sessions.startSession("s1");
  for (const event of events) writer.append(event);
  const seq = events.find((event) => event.type === "user-message" && event.content === "two")?.seq ?? 0;
  const fork = await sessions.forkSession("s1", seq);
  expect(fork.events.filter((event) => event.type === "turn-end").map(({ reason }) => reason)).toEqual([
    "done",
    "done",
  ]);
  expect(fold(fork.events).turn.running).toBe(false);
  expect(fold(fork.events).messages.at(-1)).toMatchObject({
    content: expect.stringContaining("a.txt was undone"),
  });
});

describe("an export", () => {
  const hostile = '<script src="http://x/y.js"></script><img src=x onerror=alert(1)>\u001b[31m ```` fence';

  test("as HTML runs nothing and loads nothing", async () => {
    const { sessions } = openSessions();
    write(sessions, "s1", [hostile]);
    await sessions.renameSession("s1", "</title><script>alert(1)</script>");
    const html = await sessions.exportText("s1", "html");
    expect(html.replace(/<style>[^<]*<\/style>/, "")).not.toMatch(
      /<(?:script|img|link|iframe|object|svg)|="(?:http|\/\/)|url\(/i,
    );
    expect(html).toContain("&lt;script src=&quot;http://x/y.js&quot;&gt;");
    expect(html).toContain("default-src 'none'");
    expect(html).toContain("found 1");
  });

  test("as Markdown keeps what tools said in a fence that it cannot end", async () => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const text = await sessions.exportText("s1", "markdown");
    expect(text).toMatch(/^# one\n\n\/w, .*, m\n/);
    expect(text).toContain("## You\n\none\n");
    expect(text).toContain("<summary>Result of ls</summary>\n\n```\nfound 1\n```");
    expect(text).not.toContain("\u001b");
  });

  test("as Markdown has a fence longer than any in the text, however many there are", async () => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["one"], `${"```\n".repeat(200_000)}\`\`\`\`\`\n`);
    expect(await sessions.exportText("s1", "markdown")).toMatch(/\n`{6}\n```\n/);
  });

  test("as JSON is read again as it was", async () => {
    const { sessions } = openSessions();
    const events = write(sessions, "s1", [hostile]);
    const value = JSON.parse(await sessions.exportText("s1", "json"));
    expect(value).toMatchObject({
      localharness: "export",
      version: 1,
      id: "s1",
      workspace: "/w",
      model: "m",
    });
    expect(value.messages).toEqual(fold(events).messages.filter(({ role }) => role !== "display"));
  });

  test("without a file name go to a private folder of the state folder, under a free name", async () => {
    const { state, sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const before = readdirSync(".");
    const first = await sessions.exportSession("s1", "markdown", undefined);
    const second = await sessions.exportSession("s1", "markdown", undefined);
    expect([first, second]).toEqual(
      ["localharness-s1.md", "localharness-s1-2.md"].map((name) => join(state, "exports", name)),
    );
    expect(readFileSync(second, "utf8")).toBe(readFileSync(first, "utf8"));
    expect(statSync(dirname(first)).mode & 0o777).toBe(0o700);
    expect(readdirSync(".")).toEqual(before);
  });

  test("never writes over a file", async () => {
    const { state, sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const file = join(state, "out.md");
    expect(await sessions.exportSession("s1", "markdown", file)).toBe(file);
    const text = readFileSync(file, "utf8");
    await expect(sessions.exportSession("s1", "json", file)).rejects.toThrow(
      /it exists, and is not overwritten/,
    );
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
