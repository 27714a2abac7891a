/** Questions about hosts: how many, and what becomes of a flood. */
import type { AnswerForElsewhere } from "@localharness/engine";
import { expect, test } from "vitest";
import { hostNote } from "../../src/sandbox/host-note.ts";
import {
  createHostQuestions,
  type HostOutcome,
  maxAsked,
  maxDenied,
  maxWaiting,
} from "../../src/sandbox/host-questions.ts";

const once = { answer: "once", offer: "once" } as const;
const deny = { answer: "deny" } as const;

function opened(answer: (host: string, signal: AbortSignal) => Promise<AnswerForElsewhere | undefined>) {
  const hosts: string[] = [];
  let open = 0;
  let most = 0;
  const stop = new AbortController();
  const questions = createHostQuestions(async ({ host }, signal) => {
    hosts.push(host);
    open += 1;
    most = Math.max(most, open);
    const given = await answer(host, signal);
    open -= 1;
    return given;
  }, stop.signal);
  const ask = (host: string) => questions.ask({ host, port: 443, isAlone: true });
  return { questions, hosts, ask, stop, most: () => most };
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `h${at}.example`);

test("hosts are asked about one after another, each once", async () => {
  const { ask, hosts, most } = opened(async () => once);
  const verdicts = await Promise.all(["a", "b", "a", "c", "b"].map(ask));
  expect(verdicts.map(({ kind }) => kind)).toEqual(Array(5).fill("once"));
  expect([hosts, most()]).toEqual([["a", "b", "c"], 1]);
});

test.each([
  ["that the person denies", deny, maxDenied, maxDenied],
  ["that the person allows", once, maxAsked, 0],
])("a flood of hosts %s asks few times, and holds few connections", async (_title, answer, asked, denied) => {
  const { ask, hosts, questions } = opened(async () => answer);
  const verdicts = await Promise.all(names(5000).map(ask));
  expect(hosts).toEqual(names(asked));
  expect(questions.outcome().unasked).toBe(5000 - asked);
  expect(questions.outcome().denied).toHaveLength(denied);
  expect(verdicts.slice(maxWaiting).every(({ kind }) => kind === "refused")).toBe(true);
  expect(await ask("late.example")).toMatchObject({ kind: "refused" });
  expect(hosts).toHaveLength(asked);
});

test("connections to one host beyond those that may wait are refused at once", async () => {
  const { promise, resolve } = Promise.withResolvers<typeof once>();
  const { ask } = opened(() => promise);
  const held = names(maxWaiting).map(() => ask("a"));
  expect(await ask("a")).toMatchObject({ kind: "refused" });
  resolve(once);
  expect((await Promise.all(held)).every(({ kind }) => kind === "once")).toBe(true);
  expect(await ask("a")).toEqual({ kind: "once" });
});

test.each(["the command ends", "an interrupt comes"])("when %s, every connection is refused", async (how) => {
  const waiting = Promise.withResolvers<void>();
  const { ask, questions, stop, hosts } = opened((_host, signal) => {
    waiting.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
  });
  const verdicts = Promise.all(["a", "b"].map(ask));
  await waiting.promise;
  if (how === "the command ends") await questions.end();
  else stop.abort();
  expect((await verdicts).map(({ kind }) => kind)).toEqual(["refused", "refused"]);
  expect([hosts, questions.outcome().denied]).toEqual([["a"], []]);
});

const nothing: HostOutcome = { opened: [], denied: [], said: [], unasked: 0, near: [] };
test.each<readonly [Partial<HostOutcome>, RegExp | undefined]>([
  [{}, undefined],
  [{ opened: ["a.example"] }, undefined],
  [
    { denied: ["a.example", "b.example"] },
    /^the person did not let this command reach a\.example, b\.example\. Do not/,
  ],
  [
    { denied: ["a.example"], said: ["use the mirror"] },
    /reach a\.example; they say: use the mirror\. Do not/,
  ],
  [{ denied: ["a.example"], unasked: 1 }, /1 more connection was refused without a question/],
  [{ unasked: 9 }, /^9 more connections were refused without a question/],
  [{ near: ["10.0.0.1"] }, /^10\.0\.0\.1: this machine or its networks.*sandbox_domains can$/],
])("the note about %j", (outcome, expected) => {
  const note = hostNote({ ...nothing, ...outcome });
  if (expected === undefined) expect(note).toBeUndefined();
  else expect(note).toMatch(expected);
});
