/**
 * Checks that a key answers only when the question has been visible and the keyboard quiet for 300 ms, and no key follows.
 */
import { visibleWidth } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createOpenQuestion } from "../../src/prompt/open-question.ts";
import { PermissionPrompt } from "../../src/prompt/permission-prompt.ts";
import { createTheme } from "../../src/theme/theme.ts";
import { aRequest } from "../a-request.ts";

const esc = "\u001b";
const del = "\u007f";
const down = `${esc}[B`;

/** Milliseconds until a key counts as alone: `quietMs` and a turn of the event loop for unread keys. */
const quiet = 301;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setImmediate"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function openQuestion(draft = "") {
  const answers: string[] = [];
  const before: string[] = [];
  const editor = { draft };
  const question = createOpenQuestion({
    theme: () => createTheme("none", {}),
    rows: () => 24,
    redraw: () => undefined,
    draft: () => editor.draft,
    toEditor(data) {
      before.push(data);
      if (data === "\r") editor.draft = "";
      else if (!/\p{Cc}/u.test(data)) editor.draft += data;
    },
    pasteToEditor: (text) => before.push(`pasted ${text}`),
    answer: (_id, answer, note, taken) =>
      answers.push(
        [
          answer,
          ...(note === undefined ? [] : [note]),
          ...(taken === undefined ? [] : Object.values(taken)),
        ].join(": "),
      ),
  });
  question.settle(aRequest);
  const press = (key: string) => {
    question.prompt()?.handleInput(key);
    question.pressed();
  };
  const paste = (text: string) => {
    question.prompt()?.paste(text);
    question.pressed();
  };
  const draw = () => question.prompt()?.render(80).join("\n") ?? "";
  return { question, answers, before, press, paste, draw };
}

const nothing = () => undefined;
const smallWindow = {
  theme: createTheme("none", {}),
  rows: () => 8,
  drawn: nothing,
  ready: () => true,
  draft: () => "",
  toEditor: nothing,
  pasteToEditor: nothing,
  hold: nothing,
  isApart: () => true,
  rest: nothing,
  startOver: nothing,
  answer: nothing,
};

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
      for (let key = 0; key < 4; key += 1) {
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
      press(down);
      vi.advanceTimersByTime(300);
    },
    ["once"],
  ],
  [
    "quiet behind a letter, which is in the editor",
    ({ draw, press }) => {
      draw();
      press("x");
      vi.advanceTimersByTime(300);
    },
    [],
  ],
  [
    "quiet behind a message that was sent",
    ({ draw, press }) => {
      draw();
      press("x");
      press("\r");
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
  vi.advanceTimersByTime(299);
  expect(opened.answers).toEqual([]);
  vi.advanceTimersByTime(quiet - 299);
  expect(opened.answers).toEqual(answered);
  expect(opened.before.includes("1")).toBe(answered.length === 0);
});

type Act = number | string | { readonly paste: string } | "cover";

/** Plays keys, pastes and pauses. */
function act({ press, paste, draw, question }: Opened, acts: readonly Act[]): void {
  for (const one of acts) {
    if (typeof one === "number") vi.advanceTimersByTime(one);
    else if (typeof one === "object") paste(one.paste);
    else if (one === "cover") question.cover();
    else press(one);
    draw();
  }
}

describe("typed at a question that can be answered", () => {
  const pauses = [0, 100, 200, 299, 300, 350, 500, 1_000, 2_000, 60_000];
  test.each(pauses)("text is a note, also with a key that allows %i ms later", (pause) => {
    for (const [key, note] of [
      ["\r", "no, 1 file"],
      ["1", "no, 1 file1"],
      ["2", "no, 1 file2"],
      ["3", "no, 1 file3"],
      [down, "no, 1 file"],
    ] as const) {
      const opened = openQuestion();
      shown(opened, 1_000);
      act(opened, [..."no, 1 file", pause, key, 5_000]);
      expect(opened.answers).toEqual(key === "\r" ? [`deny: ${note}`] : []);
      if (key === "\r") continue;
      expect(opened.draw()).toContain(note);
      act(opened, ["\r"]);
      expect(opened).toMatchObject({ answers: [`deny: ${note}`], before: [] });
    }
  });

  test.each<[string, readonly Act[], readonly string[]]>([
    ["a digit alone", ["1", quiet], ["once"]],
    ["a digit that text follows in time", [..."3. no", 5_000, "\r"], ["deny: 3. no"]],
    [
      "a digit that text follows a little later",
      ["1", 250, ..." file only", 900, "\r"],
      ["deny: 1 file only"],
    ],
    ["a digit with Enter", ["1", "\r", 5_000], []],
    ["a digit with Enter in a paste without marks", ["1", 39, "\r", 5_000], []],
    ["a digit with Enter in such a paste, and text", ["1", 10, "\r", 10, "x", 5_000, "\r"], ["deny: 1x"]],
    ["a digit that Enter confirms", ["1", 45, "\r", quiet], ["once"]],
    ["a digit that Enter confirms late", ["3", 290, "\r", quiet], ["remember"]],
    ["a digit that Enter confirms a moment ago", ["1", 100, "\r", 290], []],
    ["a digit, Enter, and text", ["1", 100, "\r", 100, ..."no", 5_000, "\r"], ["deny: 1no"]],
    ["a digit and an Enter that is kept pressed", ["1", 100, "\r", 50, "\r", 50, "\r", 5_000], ["deny: 1"]],
    ["a confirmed digit, and a dialog", ["1", 100, "\r", 100, "cover", 5_000], []],
    ["a digit with Enter, and Enter", ["1", "\r", 5_000, "\r"], ["deny: 1"]],
    ["an Enter with text behind it", ["\r", "n", "o", 5_000, "\r"], ["deny: no"]],
    ["an Enter that is kept pressed", ["\r", 30, "\r", 30, "\r", 30, "\r", 5_000], []],
    ["the arrows and Enter", [down, 500, "\r", quiet], ["session"]],
    ["a paste with an answer in it", [{ paste: "1\r" }, 5_000], []],
    ["a paste behind a digit", ["1", 10, { paste: "file\ronly" }, 5_000, "\r"], ["deny: 1file only"]],
    ["a paste of several lines", [{ paste: "no\r\nnot\nthat" }, 500, "\r"], ["deny: no not that"]],
    ["a paste into a note", ["n", { paste: "o\r1\r" }, 500, "\r"], ["deny: no 1"]],
    ["letters that are written together", ["いいえ", 2_000, "\r"], ["deny: いいえ"]],
    ["text and Esc", [..."no", esc, 299, "1", 5_000], []],
    ["text, Esc, and an answer", [..."no", esc, 300, "1", quiet], ["once"]],
    ["text, Esc, and Enter in the same moment", [..."no", esc, "\r", 5_000], []],
    ["text that is taken back", [..."no", del, del, "\r", 5_000], []],
    ["text that is taken back, and an answer", [..."no", del, del, 300, "2", quiet], ["session"]],
    ["text that is taken back, and other text", [..."no", del, del, "n", "1", 5_000, "\r"], ["deny: n1"]],
    ["a digit in the moment after text", [..."no", esc, "1", ..." x", 5_000, "\r"], ["deny: 1 x"]],
    ["a denial and its note", ["4", ..." other 1", 5_000, "\r"], ["deny: other 1"]],
    ["a denial that is taken back", ["4", "x", esc, 300, "4", "\r"], ["deny"]],
    ["a denial whose note is taken back", ["4", "x", del, 5_000, "\r"], ["deny"]],
    ["a digit, and a dialog before it counts", ["1", 100, "cover", 5_000], []],
  ])("%s", (_what, acts, answered) => {
    const opened = openQuestion();
    shown(opened, 1_000);
    act(opened, acts);
    expect(opened).toMatchObject({ answers: answered, before: [] });
  });

  test("shows the note from its first letter on", () => {
    const opened = openQuestion();
    shown(opened, 1_000);
    act(opened, ["n"]);
    expect(opened.draw()).toContain("Denied with this note when you press Enter:\n> n");
    expect(opened.draw()).not.toContain("[1]");
    act(opened, [esc]);
    expect(opened.draw()).not.toContain("[1]");
    act(opened, [300]);
    expect(opened.draw()).toContain("[1] Allow Once");
    act(opened, ["1"]);
    expect(opened.draw()).toContain("[1] Allow Once …");
  });

  test("a key for something else cancels the held key", () => {
    const opened = openQuestion();
    shown(opened, 1_000);
    act(opened, ["1"]);
    opened.question.pressed();
    expect(opened.draw()).not.toContain("[1] Allow Once …");
    vi.advanceTimersByTime(5_000);
    expect(opened.answers).toEqual([]);
  });

  test("a key held for a settled question does not answer the next one", () => {
    const opened = openQuestion();
    shown(opened, 1_000);
    act(opened, ["1", 100]);
    opened.question.settle({ ...aRequest, requestId: "r2" });
    shown(opened, 5_000);
    expect(opened.answers).toEqual([]);
  });

  test("puts a paste that is too large for a note into the editor", () => {
    const opened = openQuestion();
    shown(opened, 1_000);
    const text = "x".repeat(100_001);
    act(opened, [{ paste: text }, 500]);
    expect(opened).toMatchObject({ answers: [], before: [`pasted ${text}`] });
  });
});

describe("with an unsent draft in the editor", () => {
  test.each<[string, readonly Act[], readonly string[], readonly string[]]>([
    ["its Enter sends it", ["\r", 5_000], [], ["\r"]],
    ["an Enter behind its Enter", ["\r", 299, "\r", 5_000], [], ["\r", "\r"]],
    ["an answer after its Enter", ["\r", 300, "1", quiet], ["once"], ["\r"]],
    ["a digit belongs to it", ["1", 5_000, "\r", 5_000], [], ["1", "\r"]],
    ["arrows and Enter belong to it", [down, 500, "\r", 5_000], [], [down, "\r"]],
    ["a paste belongs to it", [{ paste: "1\r" }, 5_000], [], ["pasted 1\r"]],
    ["a 4 alone denies", ["4", quiet, "\r"], ["deny"], []],
    ["a 4 within it", [..."4 of", 5_000], [], ["4 ", "o", "f"]],
    ["Tab, and an answer", ["\t", 300, "1", quiet], ["once"], []],
    ["Tab, and an answer in the same moment", ["\t", 299, "1", 5_000], [], []],
    ["Tab, and text", ["\t", 300, ..."no", 5_000, "\r"], ["deny: no"], []],
    ["Tab, and a dialog in front of it", ["\t", 300, "cover", 1_000, "1", 5_000], [], ["1"]],
  ])("%s", (_what, acts, answered, typed) => {
    const opened = openQuestion("please use");
    shown(opened, 1_000);
    act(opened, acts);
    expect(opened).toMatchObject({ answers: answered, before: typed });
  });

  test("shows the draft in full, or its end when it is long", () => {
    const short = openQuestion("please use");
    shown(short, 300);
    expect(short.draw()).toMatch(/\[1\] Allow Once[\s\S]*Not sent yet: please use\nEnter sends it · Tab/);
    const long = openQuestion(`${"word ".repeat(100)}the end`);
    shown(long, 300);
    expect(long.draw()).toMatch(/Not sent yet: ….*the end/);
    const none = openQuestion("  ");
    shown(none, 300);
    expect(none.draw()).not.toContain("Not sent");
  });
});

test("the next question starts without the state of the one before", () => {
  const { question, draw, answers, press } = openQuestion();
  draw();
  vi.advanceTimersByTime(1_000);
  question.settle({ ...aRequest, requestId: "r2" });
  draw();
  press("1");
  expect(answers).toEqual([]);
});

describe("at a question whose tool makes offers", () => {
  const offers = [
    { id: "network", words: "Once, with the network", short: "Network", detail: "any host" },
    {
      id: "outside",
      words: "Once, outside of the sandbox",
      short: "Outside",
      detail: "all that you can do",
      warns: true,
    },
  ];

  test.each([
    [["1"], ["once: network"]],
    [["2"], ["once: outside"]],
    [["3"], []],
    [["3", "1"], ["once: network"]],
    [["4", "\r"], ["deny"]],
    [["5", "\r"], ["once: network"]],
    [["0", "2"], ["once: outside"]],
  ])("%j gives %j", (keys, expected) => {
    const opened = openQuestion();
    opened.question.settle({ ...aRequest, requestId: "offers", offers });
    shown(opened, 300);
    for (const key of keys) {
      opened.press(key);
      vi.advanceTimersByTime(quiet);
    }
    expect(opened.answers).toEqual(expected);
  });

  test("shows the offers in place of the usual answers", () => {
    const opened = openQuestion();
    opened.question.settle({ ...aRequest, requestId: "offers", offers });
    shown(opened, 300);
    const text = opened.draw();
    expect(text).toContain("[1] Once, with the network");
    expect(text).toContain("[2] Once, outside of the sandbox (careful: all that you can do)");
    expect(text).toContain("[4] Deny");
    expect(text).not.toContain("Remember");
  });

  test.each([36, 50, 80])("no line is wider than a window of %i columns", (width) => {
    const opened = openQuestion();
    const detail = "all your files and keys are open to it, and the network and everything else too";
    const long = offers.map((offer) => ({ ...offer, detail }));
    opened.question.settle({ ...aRequest, requestId: "offers", offers: long });
    shown(opened, 300);
    const lines = opened.question.prompt()?.render(width) ?? [];
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
  });

  test("each offer has its word on the one line of a small window", () => {
    const prompt = new PermissionPrompt({
      ...smallWindow,
      request: { ...aRequest, offers },
    });
    expect(prompt.render(36).join("\n")).toContain("1 Network 2 Outside 4 Deny");
  });
});
