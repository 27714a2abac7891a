/** Checks the text input of dialogs and which rows of a list are visible. */
import { describe, expect, test } from "vitest";
import { moveTo } from "../../src/dialogs/list-window.ts";
import { typeInto } from "../../src/dialogs/typed-line.ts";

describe("typeInto", () => {
  test.each([
    ["te", "a", "tea"],
    ["", "茶", "茶"],
    ["tea 🫖", "\u007f", "tea "],
    ["e\u0301", "\u007f", ""],
    ["green tea", "\u0017", "green "],
    [`${"x".repeat(99_000)} y z `, "\u0017", `${"x".repeat(99_000)} y `],
    ["tea", "\u0017", ""],
    ["green tea", "\u0015", ""],
    ["", "pasted words", "pasted words"],
    ["a ", "\u001b[200~green\r\n\u001b[2Jtea\u001b[201~", "a green [2Jtea"],
    ["tea", "\u001b[A", undefined],
    ["tea", "\u001b", undefined],
    ["tea", "\r", undefined],
    ["tea", "\u0007", undefined],
    ["te", "\u001b[97u", "tea"],
  ])("%j and %j make %j", (line, data, expected) => {
    expect(typeInto(line, data)).toBe(expected);
  });
});

describe("moveTo", () => {
  const start = { chosen: 0, first: 0 };
  test.each([
    [start, 1, 3, 5, { chosen: 1, first: 0 }],
    [start, 7, 10, 5, { chosen: 7, first: 3 }],
    [{ chosen: 7, first: 3 }, 2, 10, 5, { chosen: 2, first: 2 }],
    [start, -1, 10, 5, { chosen: 0, first: 0 }],
    [start, 99, 10, 5, { chosen: 9, first: 5 }],
    [{ chosen: 9, first: 5 }, 9, 3, 5, { chosen: 2, first: 0 }],
    [start, 0, 0, 5, { chosen: 0, first: 0 }],
  ])("from %j to %i of %i, %i in sight, is %j", (window, to, length, room, expected) => {
    expect(moveTo(window, to, length, room)).toEqual(expected);
  });
});
