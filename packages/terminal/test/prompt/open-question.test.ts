/** When keys count as an answer: only once the question has been in sight, and the keyboard quiet, for 300 ms. */
import type { PermissionRequest } from "@localharness/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOpenQuestion } from "../../src/prompt/open-question.ts";
import { createTheme } from "../../src/theme/theme.ts";

const request: PermissionRequest = {
  requestId: "r1",
  callId: "c1",
  toolName: "bash",
  arguments: { command: "ls" },
  argumentsHash: "",
  risk: "high",
  rule: "",
  reason: "",
  covers: "",
  concerns: [],
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function openQuestion() {
  const answers: string[] = [];
  const before: string[] = [];
  const question = createOpenQuestion({
    theme: () => createTheme("none", {}),
    rows: () => 24,
    redraw: () => undefined,
    typedBefore: (data) => before.push(data),
    answer: (_id, answer) => answers.push(answer),
  });
  question.settle(request);
  const press = (key: string) => {
    question.prompt()?.handleInput(key);
    question.pressed();
  };
  return { question, answers, before, press, draw: () => question.prompt()?.render(80) };
}

type Opened = ReturnType<typeof openQuestion>;

function shown({ draw }: Opened, ms: number): void {
  draw();
  vi.advanceTimersByTime(ms);
}

test.each<[string, (opened: Opened) => void, readonly string[]]>([
  ["never drawn", () => vi.advanceTimersByTime(1_000), []],
  ["drawn a moment ago", (opened) => shown(opened, 299), []],
  ["drawn long enough ago", (opened) => shown(opened, 300), ["once"]],
  [
    "keys in a row since",
    ({ draw, press }) => {
      draw();
      for (let key = 0; key < 4; key++) {
        vi.advanceTimersByTime(200);
        press("x");
      }
      vi.advanceTimersByTime(200);
    },
    [],
  ],
  [
    "quiet behind a key",
    ({ draw, press }) => {
      draw();
      press("x");
      vi.advanceTimersByTime(300);
    },
    ["once"],
  ],
  [
    "come out from behind a dialog",
    ({ draw, question }) => {
      draw();
      vi.advanceTimersByTime(1_000);
      question.cover();
      draw();
      vi.advanceTimersByTime(299);
    },
    [],
  ],
  [
    "in sight again for long enough",
    ({ draw, question }) => {
      draw();
      question.cover();
      vi.advanceTimersByTime(1_000);
      draw();
      vi.advanceTimersByTime(300);
    },
    ["once"],
  ],
])("a question that is %s: what a 1 answers", (_what, until, answered) => {
  const opened = openQuestion();
  until(opened);
  opened.press("1");
  expect(opened.answers).toEqual(answered);
  expect(opened.before.includes("1")).toBe(answered.length === 0);
});

test("text that is typed at it goes on to where it was meant, and the Enter behind it answers nothing", () => {
  const opened = openQuestion();
  shown(opened, 1_000);
  for (const key of ["g", "o", " ", "1", "\r"]) {
    opened.press(key);
    opened.draw();
    vi.advanceTimersByTime(100);
  }
  expect(opened).toMatchObject({ answers: [], before: ["g", "o", " ", "1", "\r"] });
  vi.advanceTimersByTime(200);
  opened.press("\r");
  expect(opened.answers).toEqual(["once"]);
});

test("the next question begins anew", () => {
  const { question, draw, answers, press } = openQuestion();
  draw();
  vi.advanceTimersByTime(1_000);
  question.settle({ ...request, requestId: "r2" });
  draw();
  press("1");
  expect(answers).toEqual([]);
});
