/** Checks how pastes are separated from keys, and how large pastes are folded. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { growth } from "../../../test/measures.ts";
import { createLargePastes } from "../src/editor/large-pastes.ts";
import { createPasteGate } from "../src/screen/paste-gate.ts";
import { createUnmarkedPastes, pasteMs } from "../src/screen/unmarked-pastes.ts";

describe("the paste gate", () => {
  const input = "ab\u001b[200~one\rtwo \u001b[20 three\u001b[201~c\u001b[A\u001b[200~\u001b[201~d";

  test("separates keys and pastes wherever the input is cut", () => {
    for (let at = 1; at < input.length; at += 1) {
      const seen: string[] = [];
      let keys = "";
      const { take } = createPasteGate(
        (piece) => {
          keys += piece;
        },
        (text) => seen.push(text),
        1_000,
      );
      take(input.slice(0, at));
      take(input.slice(at));
      expect(seen, `at ${at}`).toEqual(["one\rtwo \u001b[20 three", ""]);
      expect(keys).toBe("abc\u001b[Ad");
    }
  });

  test("passes on a lone Esc after a moment; the rest of a start mark still opens a paste later", async () => {
    const seen: string[] = [];
    const keys: string[] = [];
    const key = () => expect.poll(() => keys.at(-1), { interval: 1 });
    const { take } = createPasteGate(
      (piece) => keys.push(piece),
      (text) => seen.push(text),
      5,
    );
    take("a\u001b");
    await key().toBe("\u001b");
    take("[200~first\rsecond\r\u001b[201~b");
    expect([keys, seen]).toEqual([["a", "\u001b", "b"], ["first\rsecond\r"]]);
    take("\u001b");
    await key().toBe("\u001b");
    take("c");
    take("[200~");
    expect(keys.slice(-2)).toEqual(["c", "[200~"]);
  });

  test("does not pass on an Esc that began a paste", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const seen: string[] = [];
    const keys: string[] = [];
    const { take } = createPasteGate(
      (piece) => keys.push(piece),
      (text) => seen.push(text),
      5,
    );
    take("\u001b");
    take("[200~first");
    vi.advanceTimersByTime(1_000);
    take("\u001b[201~");
    expect([keys, seen]).toEqual([[], ["first"]]);
  });

  test("takes 20 MB in pieces in linear time", async () => {
    const paste = (pieces: number) => () => {
      let length = 0;
      const { take } = createPasteGate(
        () => undefined,
        (text) => {
          length = text.length;
        },
        1_000,
      );
      take("\u001b[200~");
      for (let piece = 0; piece < pieces; piece += 1) take("x".repeat(10_000));
      take("\u001b[201~");
      expect(length).toBe(pieces * 10_000);
    };
    expect(await growth(paste(250), paste(2_000), 24)).toBeLessThan(24);
  });
});

/** Returns what pieces of keys become: pastes in `<>`, and keys as they are. Between the pieces, `gapMs` pass. */
async function readKeys(pieces: readonly string[], gapMs: number, holdsEnter = true): Promise<string> {
  let seen = "";
  const gate = createUnmarkedPastes({
    onKeys: (keys) => {
      seen += keys;
    },
    onPaste: (text) => {
      seen += `<${text}>`;
    },
    holdsEnter: () => holdsEnter,
  });
  for (const piece of pieces) {
    gate.take(piece);
    await vi.advanceTimersByTimeAsync(gapMs);
  }
  await vi.advanceTimersByTimeAsync(10 * pasteMs);
  return seen;
}

describe("pastes that the terminal does not mark", () => {
  test.each<readonly [string, string, string]>([
    ["a line and its Enter", "tea\r", "tea\r"],
    ["an Enter as CRLF", "tea\r\n", "tea\r"],
    ["lines", "tea\rmilk\rsugar", "<tea\rmilk\rsugar>"],
    ["lines with LF", "tea\nmilk", "<tea\nmilk>"],
    ["lines with CRLF", "tea\r\nmilk", "<tea\r\nmilk>"],
    ["lines with a line end after the last", "tea\rmilk\r", "<tea\rmilk\r>"],
    ["empty lines between", "tea\r\r\rmilk", "<tea\r\r\rmilk>"],
    ["Enter pressed three times", "\r\r\r", "\r\r\r"],
    ["an indented line", "if:\r\tgo", "<if:\r\tgo>"],
    ["columns", "tea\t2 min", "<tea\t2 min>"],
    ["Tab that completes", "tea\t", "tea\t"],
    ["Tab before text", "\t1", "\t1"],
    ["keys before and after", "\u001b[Itea\rmilk\u001b[A\r", "\u001b[I<tea\rmilk>\u001b[A\r"],
    ["an Enter between other keys", "\u001b[A\r\u001b[B", "\u001b[A\r\u001b[B"],
    ["Alt+Enter between text", "tea\u001b\rmilk", "tea\u001b\rmilk"],
    ["a control key after Enter", "tea\r\u0003milk", "tea\r\u0003milk"],
    ["wide characters", "お茶\r😀", "<お茶\r😀>"],
  ])("%s: %j", async (_title, keys, expected) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    expect(await readKeys([keys], 0)).toBe(expected);
    // Until the first line end is read, nothing tells a paste from keys.
    for (let at = 1; at < keys.length; at += 1) {
      const pieces = [keys.slice(0, at), keys.slice(at)];
      const split = await readKeys(pieces, pasteMs - 1);
      const text = (shown: string) => shown.replaceAll(/[<>]/g, "").replaceAll("\r\n", "\r");
      const isCut = pieces[0]?.endsWith("\u001b") === true || pieces[0]?.endsWith("\u001b[") === true;
      if (isCut) continue;
      expect(text(split), `cut at ${at}`).toBe(text(expected));
      expect(
        split
          .replaceAll(/<[^>]*>/g, "")
          .replace(/\r\n$/, "\r")
          .match(/\r/g),
        `cut at ${at}`,
      ).toEqual(expected.replaceAll(/<[^>]*>/g, "").match(/\r/g));
    }
  });

  test("an Enter that comes later than keys of a paste is an Enter", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    expect(await readKeys(["tea", "\r", "milk", "\r"], pasteMs + 1)).toBe("tea\rmilk\r");
    expect(await readKeys(["tea\rmilk", "\r"], 4 * pasteMs)).toBe("<tea\rmilk>\r");
    expect(await readKeys(["tea\rmilk", "\rsugar\r"], 2 * pasteMs)).toBe("<tea\rmilk\rsugar\r>");
  });

  test("an Enter that is held down is passed on while it comes again", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const keys: string[] = [];
    const onKeys = (some: string) => keys.push(some);
    const gate = createUnmarkedPastes({ onKeys, onPaste: expect.unreachable, holdsEnter: () => true });
    for (let pressed = 1; pressed <= 10; pressed += 1) {
      gate.take("\r");
      await vi.advanceTimersByTimeAsync(pasteMs / 2);
    }
    expect(keys.join("").length).toBeGreaterThan(5);
  });

  test("an Enter is passed on at once where it cannot begin a line", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    expect(await readKeys(["\r", "1"], 1, false)).toBe("\r1");
    expect(await readKeys(["1\r", "2"], 1, false)).toBe("<1\r2>");
  });
});

describe("large pastes", () => {
  test("shows small pastes, replaces large ones by a placeholder and restores them", () => {
    const pastes = createLargePastes();
    expect(pastes.fold("a\nb")).toBeUndefined();
    const lines = pastes.fold("l\r\n".repeat(1_233));
    const chars = pastes.fold(`$& $1 ${"y".repeat(2_000)}`);
    expect(lines).toBe("[Pasted 1,234 lines #1]");
    expect(chars).toBe("[Pasted 2006 characters #2]");
    expect(pastes.unfold(`a ${lines} b ${chars} [Pasted 3 lines #9]`)).toBe(
      `a ${"l\n".repeat(1_233)} b $& $1 ${"y".repeat(2_000)} [Pasted 3 lines #9]`,
    );
  });

  test("keeps the newest sent texts, and knows placeholders of earlier sessions as unknown", () => {
    const pastes = createLargePastes();
    pastes.avoid("look at [Pasted 11 lines #4] again");
    pastes.avoid("and at [Pasted 11 lines #2]");
    const old = pastes.fold("o".repeat(3_000_000)) ?? "";
    expect(old).toMatch(/ #5\]$/);
    pastes.sent();
    expect(pastes.unknownIn(`${old} [Pasted 11 lines #4]`)).toEqual(["[Pasted 11 lines #4]"]);
    const late = pastes.fold("l".repeat(3_000_000)) ?? "";
    expect(pastes.unknownIn(old)).toEqual([]);
    pastes.sent();
    expect(pastes.unknownIn(`${old} ${late}`)).toEqual([old]);
  });

  test("finds a known placeholder right before the cursor", () => {
    const pastes = createLargePastes();
    const mark = pastes.fold("x\n".repeat(20)) ?? "";
    expect(pastes.markBefore(`a ${mark} b`, 2 + mark.length)).toBe(mark);
    expect(pastes.markBefore(`a ${mark} b`, 3 + mark.length)).toBeUndefined();
    expect(pastes.markBefore("[Pasted 4 lines #7]", 19)).toBeUndefined();
  });
});
