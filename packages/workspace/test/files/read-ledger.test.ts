import { describe, expect, test } from "vitest";
import { createReadLedger } from "../../src/files/read-ledger.ts";

const one = Buffer.from("1\n2\n3\n");
const two = Buffer.from("other\n");

describe("the read ledger", () => {
  test("knows what was read or written, and finds what was changed since", async () => {
    const ledger = createReadLedger();
    expect(ledger.knows("a")).toBe(false);
    await ledger.read("a", one);
    expect(ledger.knows("a")).toBe(true);
    expect(await ledger.checkFresh("a", one)).toBeUndefined();
    expect((await ledger.checkFresh("a", two))?.message).toContain("changed by someone else");
    await ledger.wrote("a", two);
    expect(await ledger.checkFresh("a", two)).toBeUndefined();
    ledger.forget("a");
    expect(ledger.knows("a")).toBe(false);
  });

  test("forgets all files for the next session", async () => {
    const ledger = createReadLedger();
    await ledger.read("a", one);
    ledger.clear();
    expect(ledger.knows("a")).toBe(false);
    expect(await ledger.checkFresh("a", two)).toBeUndefined();
  });

  test("takes what an undo put back as the newest content, with line numbers that are not known", async () => {
    const ledger = createReadLedger();
    await ledger.putBack("unread", one);
    expect(ledger.knows("unread")).toBe(false);
    await ledger.read("a", one);
    await ledger.putBack("a", two);
    expect(await ledger.checkFresh("a", two)).toBeUndefined();
    expect((await ledger.checkFresh("a", one))?.message).toContain("changed by someone else");
    expect(ledger.checkLine("a", 1)?.message).toContain('undo or redo changed "a" since you read it');
    await ledger.wrote("a", one, { line: 2, by: 0 });
    expect(ledger.checkLine("a", 1)?.message).toContain("undo or redo");
    await ledger.read("a", one);
    expect(ledger.checkLine("a", 1)).toBeUndefined();
    await ledger.putBack("a", undefined);
    expect(ledger.knows("a")).toBe(false);
  });

  test("lets edits of files pass that were never read", async () => {
    expect(await createReadLedger().checkFresh("a", one)).toBeUndefined();
  });

  test("knows which line numbers an edit has moved, until the file is read again", async () => {
    const ledger = createReadLedger();
    await ledger.read("a", one);
    await ledger.wrote("a", two, { line: 3, by: 2 });
    expect(ledger.checkLine("a", 2)).toBeUndefined();
    expect(ledger.checkLine("a", 3)?.message).toContain("from 3 on moved by +2");
    await ledger.wrote("a", two, { line: 2, by: 0 });
    expect(ledger.checkLine("a", 2)).toBeUndefined();
    await ledger.read("a", two);
    expect(ledger.checkLine("a", 3)).toBeUndefined();
  });
});
