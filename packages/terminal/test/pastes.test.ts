/** Checks how pastes are separated from keys, and how large pastes are folded. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { growth } from "../../../test/measures.ts";
import { createLargePastes } from "../src/editor/large-pastes.ts";
import { createPasteGate } from "../src/screen/paste-gate.ts";

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
