/** Checks that a searching list waits for a pause, searches the newest words only, and runs one search at a time. */
import { visibleWidth } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { type ListHandle, selectList } from "../../src/dialogs/select-list.ts";
import { createTheme } from "../../src/theme/theme.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Asked {
  readonly words: string;
  readonly signal: AbortSignal;
  answer(): void;
  fail(): void;
}

/** Opens a list whose rows arrive when the test resolves them. Enter records the row, and closes the list if `closes`. */
function opened(closes: boolean) {
  const asked: Asked[] = [];
  const entered: string[] = [];
  const theme = createTheme("none", {});
  const surroundings: Pick<App, "theme" | "rows" | "redraw"> = {
    theme: () => theme,
    rows: () => 24,
    redraw: () => undefined,
  };
  const dialog = selectList({
    title: "Sessions",
    empty: "none",
    enter: "selects it",
    searches: true,
    load: (words, signal) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve([{ id: words, label: `row of <${words}>` }]);
        asked.push({ words, signal, answer, fail: () => reject(new Error(`no <${words}>`)) });
      }),
    onEnter({ id }, { close }) {
      entered.push(id);
      if (closes) close();
    },
  });
  const list = dialog(surroundings as App, () => undefined);
  return {
    asked,
    entered,
    type: (text: string) => [...text].forEach((key) => void list.handleInput?.(key)),
    shown: () => list.render(60).join("\n"),
    words: () => asked.map((one) => one.words),
    stopped: () => asked.filter(({ signal }) => signal.aborted).map((one) => one.words),
  };
}

const pause = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("runs only the newest of waiting searches and shows nothing of an aborted one", async () => {
  for (const end of ["answer", "fail"] as const) {
    const { asked, type, words, shown } = opened(false);
    await pause(0);
    type("tea");
    await pause(1_000);
    type("cup");
    await pause(1_000);
    asked[0]?.[end]();
    await pause(0);
    expect(words()).toEqual(["", "teacup"]);
    expect(shown()).not.toContain("<>");
    asked[1]?.answer();
    await pause(0);
    expect(shown()).toContain("row of <teacup>");
  }
});

test("runs no action after the one that closed the list", async () => {
  const { asked, type, entered } = opened(true);
  await pause(0);
  asked[0]?.answer();
  await pause(0);
  type("\r\r");
  await pause(0);
  expect(entered).toEqual([""]);
});

test("Enter acts only on rows found by the words typed last", async () => {
  const { asked, entered, type, shown, words, stopped } = opened(false);
  await pause(0);
  type("tea");
  await pause(1_000);
  expect(words()).toEqual([""]);
  expect(stopped()).toEqual([""]);
  asked[0]?.answer();
  await pause(0);
  expect(words()).toEqual(["", "tea"]);
  type("c");
  await pause(100);
  type("u");
  await pause(100);
  type("p");
  asked[1]?.answer();
  await pause(100);
  expect(shown()).toContain("row of <tea>");
  type("\r");
  expect(shown()).toContain("still looking");
  await pause(1_000);
  expect(words()).toEqual(["", "tea", "teacup"]);
  asked[2]?.answer();
  await pause(0);
  expect(shown()).toContain("row of <teacup>");
  type("\r");
  await pause(0);
  expect(entered).toEqual(["teacup"]);
  type("s");
  await pause(1_000);
  type("\u001b");
  expect(stopped()).toEqual(["", "tea", "teacup", "teacups"]);
  type("x");
  type("\u001b");
  await pause(1_000);
  expect(words()).toHaveLength(4);
});

test.each<[string, readonly string[], number]>([
  ["the same key twice", ["\r", "\r"], 1],
  ["once", ["\r"], 0],
  ["letters in between", ["\r", ..."no", "\r"], 0],
  ["a letter that is taken back in between", ["\r", "n", "\u007f", "\r"], 0],
  ["the mark moved away and back in between", ["\r", "\u001b[B", "\u001b[A", "\r"], 0],
  ["another key", ["\r", "\u0004"], 0],
  ["the other key twice", ["\u0004", "\u0004"], 1],
  ["both keys in turn", ["\r", "\u0004", "\r", "\u0004"], 0],
  ["twice, twice", ["\r", "\r", "\r", "\r"], 2],
  ["thrice", ["\r", "\r", "\r"], 1],
])("what asks first is done for the same key, right behind: %s", async (_what, keys, times) => {
  const done: string[] = [];
  const theme = createTheme("none", {});
  const run = ({ id }: { id: string }, { confirm }: ListHandle) => {
    if (confirm("again does it")) done.push(id);
  };
  const list = selectList({
    title: "Rows",
    empty: "none",
    enter: "does it",
    load: async () => ["a no", "b no"].map((id) => ({ id, label: id })),
    onEnter: run,
    keys: [{ key: "ctrl+d", help: "", run }],
  })({ theme: () => theme, rows: () => 24, redraw: () => undefined } as unknown as App, () => undefined);
  await pause(0);
  // Once with a pause between the keys, once without.
  for (const apart of [true, false]) {
    done.length = 0;
    for (const key of keys) {
      list.handleInput?.(key);
      if (apart) await pause(0);
    }
    // Actions run one after another.
    for (const _ of keys) await pause(0);
    expect(done, `apart: ${apart}`).toEqual(Array.from({ length: times }, () => "a no"));
    list.handleInput?.("\u0015");
  }
});

test("folds the label of the selected row, and cuts those of the others", async () => {
  const { asked, type, shown } = opened(false);
  await pause(0);
  type("a ".repeat(40).trim());
  await pause(1_000);
  asked[0]?.answer();
  await pause(0);
  asked[1]?.answer();
  await pause(0);
  const lines = shown().split("\n");
  expect(lines.slice(2, 4).join(" ").match(/\ba\b/g)).toHaveLength(40);
  expect(lines.every((line) => visibleWidth(line) <= 60)).toBe(true);
});
