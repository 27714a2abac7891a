/** Checks secrets that arrive in several deltas: no part of one is written before the text is complete. */
import { readFileSync } from "node:fs";
import { knownSecrets } from "@localharness/harness/config/secrets";
import type { EventBody } from "@localharness/protocol";
import { describe, expect, test, vi } from "vitest";
import { createEventJoiner } from "../../src/sessions/join-events.ts";
import { readRecord } from "../../src/sessions/session-record.ts";
import { fileOf, fold, linesOf, numbered, openSessions, start } from "./place.ts";

const key = "sk-Zx81qLm4Tt09PwYv77HgRe23";
const odd = 'quo"ted pass phrase 99';
const { mask, forms } = await knownSecrets({ OPENAI_API_KEY: key, MY_PASSPHRASE: odd }, {});
const masking = { mask, secrets: forms };
const said = `Your key is ${key}, in a URL ${encodeURIComponent(odd)}, so ${JSON.stringify(odd)}. Sincerely, s`;
const safe = 'Your key is [key hidden], in a URL [key hidden], so "[key hidden]". Sincerely, s';

const text = (piece: string): EventBody => ({ type: "text-delta", text: piece });
const end: EventBody = { type: "model-end", stopReason: "stop" };
const passing: EventBody = { type: "mode-changed", mode: "plan" };

/**
 * Writes deltas with a joiner and returns the text read back; `flush`: the buffer's time is up after so many events.
 */
function written(bodies: readonly EventBody[], flush: (index: number) => boolean) {
  const joiner = createEventJoiner(masking, 0);
  const lines = numbered("s", bodies).flatMap((event, index) => [
    ...joiner.push(event),
    ...(flush(index) ? joiner.ready() : []),
  ]);
  const records = [...lines, ...joiner.end()].map((line) => readRecord(line, "s"));
  const events = records.flatMap((record) => (record.kind === "event" ? [record.event] : []));
  const gaps = records.filter(
    (record, index) =>
      record.kind !== "event" || record.first !== (index === 0 ? 1 : (events[index - 1]?.seq ?? 0) + 1),
  );
  expect(gaps).toEqual([]);
  return { events, text: fold(events).messages.map(({ content }) => content) };
}

describe("a text with secrets", () => {
  test.each([1, 2, 3, 7, 9, 13, 40])("in pieces of %i, time up after each, is masked as a whole", (size) => {
    const pieces = said.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    expect(written([...pieces.map(text), end], () => true).text).toEqual([safe]);
  });

  test("split at every index, time up in between, is masked as a whole", () => {
    for (let at = 1; at < said.length; at += 1) {
      const bodies = [text(said.slice(0, at)), text(said.slice(at)), end];
      expect(written(bodies, (index) => index === 0).text).toEqual([safe]);
    }
  });

  test("interrupted by an event at every index never shows more than a few characters", () => {
    const whole = `is ${key}, yes`;
    for (let at = 1; at < whole.length; at += 1) {
      const [shown = ""] = written(
        [text(whole.slice(0, at)), passing, text(whole.slice(at)), end],
        () => false,
      ).text;
      for (let from = 0; from + 12 <= key.length; from += 1)
        expect(shown).not.toContain(key.slice(from, from + 12));
      expect(shown).toMatch(/^is .*yes$/);
      // The rest of the secret is hidden, however short it is.
      if (at > 3 && at < 3 + key.length) expect(shown).toMatch(/\[part of a key hidden\], yes$/);
    }
  });

  test("interrupted twice shows no more of it than once", () => {
    for (let first = 1; first < key.length; first += 1)
      for (let second = first + 1; second < key.length; second += 1) {
        const pieces = [key.slice(0, first), key.slice(first, second), `${key.slice(second)}.`];
        const bodies = pieces.flatMap((piece) => [text(piece), passing]);
        const [shown = ""] = written([...bodies, end], () => false).text;
        for (let from = 0; from + 13 <= key.length; from += 1)
          expect(shown).not.toContain(key.slice(from, from + 13));
      }
  });

  test("longer than one record has no secret at the seam", () => {
    for (let into = 0; into <= key.length; into += 1) {
      const before = "x ".repeat(32 * 1024).slice(into);
      const bodies = [text(before), text(`  ${key.slice(0, 9)}`), text(`${key.slice(9)} end`), end];
      const { events, text: kept } = written(bodies, () => false);
      expect(kept.join("")).toBe(`${before}  [key hidden] end`);
      if (into === 0) expect(events.filter(({ type }) => type === "text-delta")).toHaveLength(2);
    }
  });

  test("is not held up by it: what cannot be a beginning of one is written when the time is up", () => {
    const joiner = createEventJoiner(masking, 0);
    const push = (body: EventBody, seq: number) =>
      joiner.push({ ...numbered("s", [body])[0], seq, ...body } as Parameters<typeof joiner.push>[0]);
    push(text("this is "), 1);
    push(text("well sk-"), 2);
    expect(joiner.ready().join("")).toContain('"this is "');
    push(text("ipped"), 3);
    expect(joiner.ready().join("")).toContain('"well sk-ipped"');
  });
});

test("half a second apart, its pieces are not in the file", async () => {
  const { sessions } = openSessions(undefined, masking);
  const writer = sessions.startSession("s1");
  const pieces = ["Your key is ", key.slice(0, 9), `${key.slice(9)}. `, "Bye"];
  const events = numbered("s1", [start, ...pieces.map(text), end]);
  for (const event of events.slice(0, 3)) writer.append(event);
  await vi.waitFor(() => expect(linesOf(sessions, "s1").join("")).toContain("Your key is "), 60_000);
  for (const event of events.slice(3)) writer.append(event);
  writer.close();
  const kept = readFileSync(fileOf(sessions, "s1"), "utf8");
  expect(kept).not.toContain(key.slice(0, 9));
  expect(fold(await sessions.readEvents("s1")).messages.at(-1)?.content).toBe(
    "Your key is [key hidden]. Bye",
  );
});
