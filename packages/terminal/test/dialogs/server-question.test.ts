import type { Command, ServerQuestion } from "@localharness/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { serverQuestion } from "../../src/dialogs/server-question.ts";
import { createTheme } from "../../src/theme/theme.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const form: ServerQuestion["asks"] = {
  kind: "form",
  fields: [
    { name: "age", title: "Age", type: "integer", required: true },
    { name: "fruit", title: "Fruit", type: "text", required: false, preset: "pear" },
  ],
};

function opened(
  asks: ServerQuestion["asks"],
  asker: Pick<ServerQuestion, "server" | "agent"> = { server: "notes" },
) {
  const sent: Command[] = [];
  const theme = createTheme("none", {});
  const app: Pick<App, "theme" | "redraw" | "send"> = {
    theme: () => theme,
    redraw: () => undefined,
    send: (command) => sent.push(command),
  };
  const question = { questionId: "q", ...asker, message: "Allow Once?\u001b[2J [1]", asks };
  const dialog = serverQuestion(question)(app as App, () => undefined);
  const draw = () => dialog.render(80).join("\n");
  draw();
  return {
    ...{ sent, draw, dialog },
    press(...keys: readonly string[]) {
      for (const key of keys) {
        vi.advanceTimersByTime(400);
        dialog.handleInput?.(key);
      }
    },
  };
}

test("asks for each value, shows what is sent, and sends it", () => {
  const { press, sent, draw } = opened(form);
  expect(draw()).toMatch(
    /The MCP server "notes" asks you\nYour answer goes to this server, and allows no call\./,
  );
  expect(draw()).toMatch(/│ Allow Once\?/);
  expect(draw()).not.toContain("\u001b[2J");
  press("x", "\r");
  expect(draw()).toContain("expected a whole number");
  press("\u007f", "7", "\r", "\r");
  expect(draw()).toContain('Sends: {"age":7,"fruit":"pear"}');
  expect(sent).toEqual([]);
  press("\r");
  expect(sent).toEqual([
    { type: "server-question-answer", questionId: "q", action: "accept", values: { age: 7, fruit: "pear" } },
  ]);
});

test("a question of the model is answered with one Enter, by the number of an answer", () => {
  const name = { name: "answer", title: "Your answer", type: "text", required: true } as const;
  const asks = { kind: "form", fields: [{ ...name, suggestions: ["red", "blue"] }] } as const;
  const { press, sent, draw } = opened(asks, { agent: "scout" });
  expect(draw()).toMatch(/The agent "scout" asks you\nYour answer goes to the model, and allows no call\./);
  expect(draw()).toMatch(/a number or other words; needed\)\n {2}│ 1\. red\n {2}│ 2\. blue\n> /);
  press("2", "\r");
  expect(sent).toEqual([
    { type: "server-question-answer", questionId: "q", action: "accept", values: { answer: "blue" } },
  ]);
});

test("Enter does nothing right after the question appeared, or right after another key", () => {
  const { dialog, draw } = opened(form);
  dialog.handleInput?.("7");
  dialog.handleInput?.("\r");
  expect(draw()).toContain("1/2 Age");
  vi.advanceTimersByTime(299);
  dialog.handleInput?.("\r");
  expect(draw()).toContain("1/2 Age");
  vi.advanceTimersByTime(300);
  dialog.handleInput?.("\r");
  expect(draw()).toContain("2/2 Fruit");
});

const afterOpening = 400;

test.each<readonly [what: string, keys: readonly (string | number)[], sent: number]>([
  ["right after a typed answer", [afterOpening, "o", 20, "k", 100, "\r"], 1],
  ["after a typed answer that began with the question", [10, "o", 20, "k", 100, "\r"], 0],
  ["at once after a key, as in a paste", [afterOpening, "o", "k", "\r"], 0],
  ["right after a marked paste", [afterOpening, "\u001b[200~ok\u001b[201~", 100, "\r"], 0],
  [
    "right after a paste into a typed answer",
    [afterOpening, "o", 50, "\u001b[200~k\u001b[201~", 100, "\r"],
    0,
  ],
])("Enter %s", (_what, keys, count) => {
  const asks = {
    kind: "form",
    fields: [{ name: "answer", title: "A", type: "text", required: true }],
  } as const;
  const { dialog, sent, draw } = opened(asks, {});
  for (const key of keys) {
    if (typeof key === "number") vi.advanceTimersByTime(key);
    else dialog.handleInput?.(key);
  }
  expect(sent).toHaveLength(count);
  if (count === 0) expect(draw()).toContain("Enter came too soon to count: press it again");
});

test("Enter right after a typed yes does not open a page, and the screen says why", () => {
  const { dialog, sent, draw } = opened({ kind: "page", url: "https://login.example" });
  vi.advanceTimersByTime(afterOpening);
  for (const key of "yes") dialog.handleInput?.(key);
  vi.advanceTimersByTime(100);
  dialog.handleInput?.("\r");
  expect(sent).toEqual([]);
  expect(draw()).toContain("Enter came too soon to count");
});

test("Escape declines, and so that no value is sent", () => {
  const { press, sent } = opened(form);
  press("7", "\r", "\u001b");
  expect(sent).toEqual([{ type: "server-question-answer", questionId: "q", action: "decline" }]);
});

test("the whole address of a page is shown, and only yes accepts", () => {
  const url = `https://login.example/${"path/".repeat(60)}end`;
  const { press, sent, draw } = opened({ kind: "page", url });
  expect(draw().replace(/\n\s*/g, "")).toContain(url);
  press("\r");
  expect(sent).toEqual([]);
  press(..."yes", "\r");
  expect(sent).toMatchObject([{ action: "accept" }]);
});
