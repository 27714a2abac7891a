import { expect, test } from "vitest";
import { createLastBytes } from "../../src/children/last-bytes.ts";

const text = Buffer.from("abcdefghijklmnopqrstuvwxyz");

test.each([0, 1, 2, 5, 7, 26, 40])("the last %i bytes, in pieces of any size", (size) => {
  for (let piece = 1; piece <= text.length; piece += 1) {
    const last = createLastBytes(size);
    for (let at = 0; at < text.length; at += piece) {
      last.push(text.subarray(at, at + piece));
      const seen = text.subarray(0, at + piece);
      const wanted = size === 0 ? "" : seen.subarray(-size).toString();
      expect(last.read().toString()).toBe(wanted);
      expect(last.read(3).toString()).toBe(wanted.slice(-3));
    }
  }
});
