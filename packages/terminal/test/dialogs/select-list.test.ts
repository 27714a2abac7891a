/** A list that searches: after a pause, for the newest words only, never twice at once. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { selectList } from "../../src/dialogs/select-list.ts";
import { createTheme } from "../../src/theme/theme.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the rows are those of what was typed last, and nothing else is taken", async () => {
  const asked: { readonly words: string; readonly signal: AbortSignal; readonly answer: () => void }[] = [];
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
    enter: "takes it",
    searches: true,
    load: (words, signal) =>
      new Promise((resolve) => {
        asked.push({ words, signal, answer: () => resolve([{ id: words, label: `row of <${words}>` }]) });
      }),
    onEnter: ({ id }) => void entered.push(id),
  });
  const list = dialog(surroundings as App, () => undefined);
  const type = (text: string) => [...text].forEach((key) => void list.handleInput?.(key));
  const pause = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const words = () => asked.map((one) => one.words);
  const stopped = () => asked.filter(({ signal }) => signal.aborted).map((one) => one.words);

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
  expect(list.render(60).join("\n")).toContain("row of <tea>");
  type("\r");
  expect(list.render(60).join("\n")).toContain("still looking");
  await pause(1_000);
  expect(words()).toEqual(["", "tea", "teacup"]);
  asked[2]?.answer();
  await pause(0);
  expect(list.render(60).join("\n")).toContain("row of <teacup>");
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
