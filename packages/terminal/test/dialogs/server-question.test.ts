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

function opened(asks: ServerQuestion["asks"]) {
  const sent: Command[] = [];
  const theme = createTheme("none", {});
  const app: Pick<App, "theme" | "redraw" | "send"> = {
    theme: () => theme,
    redraw: () => undefined,
    send: (command) => sent.push(command),
  };
  const question = { questionId: "q", server: "notes", message: "Allow Once?\u001b[2J [1]", asks };
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
