/** Checks which keys answer a question and which are text, for many sequences of keys. */
import { describe, expect, test } from "vitest";
import {
  type AnswerState,
  type AnswerStep,
  answerChoices,
  keysAlone,
  readPress,
  takePress,
} from "../../src/prompt/answer-keys.ts";

const start: AnswerState = { kind: "choosing", chosen: 0 };
const named: Readonly<Record<string, string>> = {
  enter: "\r",
  up: "\u001b[A",
  down: "\u001b[B",
  pagedown: "\u001b[6~",
  pageup: "\u001b[5~",
  space: " ",
  tab: "\t",
  backspace: "\u007f",
  "kitty 1": "\u001b[49u",
  "keypad 1": "\u001b[57400u",
  "kitty enter": "\u001b[13u",
};

/** Plays keys and returns the effects. The key `quiet` is a moment without a key. */
function play(keys: readonly string[], drafted = false) {
  let state = start;
  const done: string[] = [];
  for (const key of keys) {
    const step: AnswerStep =
      key === "quiet" ? keysAlone(state) : takePress(state, readPress(named[key] ?? key), drafted);
    state = step.state;
    const { effect } = step;
    if (effect.kind === "answer") done.push(`answer ${state.chosen + 1}`);
    else if (effect.kind === "note") done.push(effect.text === "" ? "note" : `note ${effect.text}`);
    else if (effect.kind === "edit") done.push(`edit ${effect.text}${effect.key ? "+key" : ""}`);
    else if (effect.kind === "scroll") done.push(`scroll ${effect.pages}`);
    else if (effect.kind !== "none") done.push(effect.kind);
  }
  return { done, state };
}

describe("at a question", () => {
  test.each<[string[], string[]]>([
    // A key that no other follows answers.
    [
      ["1", "quiet"],
      ["hold", "answer 1"],
    ],
    [
      ["2", "quiet"],
      ["hold", "answer 2"],
    ],
    [
      ["3", "quiet"],
      ["hold", "answer 3"],
    ],
    [["4"], ["note"]],
    [
      ["enter", "quiet"],
      ["hold", "answer 1"],
    ],
    [
      ["kitty enter", "quiet"],
      ["hold", "answer 1"],
    ],
    [
      ["kitty 1", "quiet"],
      ["hold", "answer 1"],
    ],
    [
      ["keypad 1", "quiet"],
      ["hold", "answer 1"],
    ],
    [
      ["down", "enter", "quiet"],
      ["hold", "answer 2"],
    ],
    [
      ["down", "down", "enter", "quiet"],
      ["hold", "answer 3"],
    ],
    [["up", "enter"], ["note"]],
    // Text begins a note.
    [["n"], ["note n"]],
    [["５"], ["note ５"]],
    [["１"], ["note １"]],
    [["いいえ"], ["note いいえ"]],
    [["5"], ["note 5"]],
    [["0"], ["note 0"]],
    [["1 but not that"], ["note 1 but not that"]],
    [["12"], ["note 12"]],
    // A digit followed by text begins a note too.
    [
      ["1", " "],
      ["hold", "note 1 "],
    ],
    [
      ["1", "."],
      ["hold", "note 1."],
    ],
    [
      ["3", "1"],
      ["hold", "note 31"],
    ],
    [
      ["1", "4"],
      ["hold", "note 14"],
    ],
    [
      ["1", "個だけ"],
      ["hold", "note 1個だけ"],
    ],
    [
      ["1", "\ufe0f\u20e3"],
      ["hold", "note 1\ufe0f\u20e3"],
    ],
    // Enter after such a digit neither allows nor denies.
    [
      ["1", "enter", "quiet"],
      ["hold", "note 1"],
    ],
    [
      ["3", "kitty enter", "quiet"],
      ["hold", "note 3"],
    ],
    // Enter followed by text, as in a paste that begins with a line end and has no paste marks.
    [
      ["enter", "n"],
      ["hold", "note n"],
    ],
    [
      ["enter", "1", "quiet"],
      ["hold", "note 1"],
    ],
    [["enter", "enter", "quiet"], ["hold"]],
    // A key that types no text cancels the held key.
    [["1", "backspace", "quiet"], ["hold"]],
    [
      ["1", "tab", "quiet"],
      ["hold", "more"],
    ],
    [["1", "down", "quiet"], ["hold"]],
    [
      ["1", "pagedown", "quiet"],
      ["hold", "scroll 1"],
    ],
    [
      ["enter", "space", "quiet"],
      ["hold", "scroll 1"],
    ],
    [
      ["enter", "up", "enter"],
      ["hold", "note"],
    ],
    // Keys that only move the choice or scroll.
    [
      ["space", "pagedown", "pageup"],
      ["scroll 1", "scroll 1", "scroll -1"],
    ],
    [["tab", "backspace", "\u001b[15~", "quiet"], ["more"]],
  ])("%j: %j", (keys, done) => {
    expect(play(keys).done).toEqual(done);
  });

  test("the arrow keys wrap around", () => {
    for (let downs = 0; downs <= 2 * answerChoices.count; downs += 1)
      expect(play(Array.from({ length: downs }, () => "down")).state.chosen).toBe(
        downs % answerChoices.count,
      );
    expect(play(["up"]).state.chosen).toBe(answerChoices.denial);
  });
});

describe("at a question with an unsent draft in the editor", () => {
  test.each<[string[], string[]]>([
    [["1", "quiet"], ["edit +key"]],
    [["2", "quiet"], ["edit +key"]],
    [["3", "quiet"], ["edit +key"]],
    [["n", "quiet"], ["edit +key"]],
    [["enter", "quiet"], ["send"]],
    [
      ["down", "enter", "quiet"],
      ["edit +key", "send"],
    ],
    [["space"], ["edit +key"]],
    [["backspace"], ["edit +key"]],
    [["tab"], ["setAside"]],
    [["pagedown"], ["scroll 1"]],
    [
      ["4", "quiet"],
      ["hold", "note"],
    ],
    [
      ["4", "0"],
      ["hold", "edit 40"],
    ],
    [
      ["4", " ", "f"],
      ["hold", "edit 4 ", "edit +key"],
    ],
    [
      ["4", "enter", "quiet"],
      ["hold", "edit 4"],
    ],
  ])("%j: %j", (keys, done) => {
    expect(play(keys, true).done).toEqual(done);
  });
});

test("of all sequences of up to four keys only those allow that end in a key alone, without text before it", () => {
  const keys = ["1", "2", "3", "4", "x", " ", "enter", "down", "tab", "backspace", "quiet"];
  const isText = (key: string) => key === "x";
  for (const sequence of sequences(keys, 4)) {
    const { done } = play(sequence);
    const at = done.findIndex((what) => what.startsWith("answer"));
    if (at === -1) continue;
    const first = sequence.findIndex(
      (key, index) => key === "quiet" && /^([123]|enter)$/.test(sequence[index - 1] ?? ""),
    );
    expect(first, sequence.join()).toBeGreaterThan(0);
    expect(sequence.slice(0, first).some(isText), sequence.join()).toBe(false);
    expect(
      play(sequence, true).done.some((what) => what.startsWith("answer")),
      sequence.join(),
    ).toBe(false);
  }
});

function sequences(keys: readonly string[], length: number): string[][] {
  if (length === 0) return [[]];
  return sequences(keys, length - 1).flatMap((before) => [before, ...keys.map((key) => [...before, key])]);
}
