/** Checks which presses of Esc and of Ctrl+C are a double press. */
import { emptyView } from "@localharness/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeyTable, type KeyedApp } from "../src/keys.ts";

const esc = "\u001b";
const cancel = "\u0003";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the part of an idle app with an empty editor that the keys of these tests need. */
function idleApp(did: string[]) {
  return {
    editor: { takesEscape: () => false, mode: () => undefined, getText: () => "" },
    commandsOfPerson: { stop: () => false },
    goOn: { close: () => false, accept: () => false },
    inFront: () => "editor",
    view: () => emptyView,
    items: () => [{ kind: "user", from: "person", text: "earlier", seq: 1 }],
    putAside: () => undefined,
    hint: () => undefined,
    open: () => did.push("goes back"),
    leave: () => did.push("leaves"),
  };
}

test.each<readonly [what: string, presses: readonly (string | number)[], did: readonly string[]]>([
  ["Esc twice", [esc, esc], ["goes back"]],
  ["Esc twice, two seconds apart", [esc, 2_000, esc], []],
  ["Esc, a letter, Esc", [esc, "a", esc], []],
  ["Esc, a letter, Esc twice", [esc, "a", esc, esc], ["goes back"]],
  ["Esc, Ctrl+C, Esc", [esc, cancel, esc], []],
  ["Esc three times", [esc, esc, esc], ["goes back"]],
  ["Ctrl+C twice", [cancel, cancel], ["leaves"]],
  ["Ctrl+C twice, 1.5 seconds apart", [cancel, 1_500, cancel], ["leaves"]],
  ["Ctrl+C twice, two seconds apart", [cancel, 2_000, cancel], []],
  ["Ctrl+C, a letter, Ctrl+C", [cancel, "a", cancel], []],
  ["Ctrl+C, Esc, Ctrl+C", [cancel, esc, cancel], []],
])("%s", (_what, presses, expected) => {
  const did: string[] = [];
  const keys = createKeyTable(idleApp(did) as unknown as KeyedApp);
  for (const press of presses) {
    if (typeof press === "number") vi.advanceTimersByTime(press);
    else keys.take(press);
  }
  expect(did).toEqual(expected);
});

test.each([
  ["Ctrl+C", cancel, "Ctrl+C again leaves"],
  ["Esc", esc, "Esc again goes back to an earlier message"],
])("the hint after %s is on screen exactly as long as a second press counts", (_what, key, text) => {
  const did: string[] = [];
  let shown = "";
  const hint = (said: string) => {
    shown = said;
  };
  const app = { ...idleApp(did), hint };
  const keys = createKeyTable(app as unknown as KeyedApp);
  keys.take(key);
  vi.advanceTimersByTime(1_999);
  expect(shown).toBe(text);
  vi.advanceTimersByTime(1);
  expect(shown).toBe("");
  keys.take(key);
  expect(did).toEqual([]);
  vi.advanceTimersByTime(1_999);
  keys.take(key);
  expect(did).toHaveLength(1);
});
