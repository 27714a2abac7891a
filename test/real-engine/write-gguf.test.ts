/** Checks the bytes of a GGUF file against the layout of version 3. The suite checks that the engine reads whole files. */
import { expect, test } from "vitest";
import { writeGguf } from "./write-gguf.ts";

const number = (value: number, bytes: number) => {
  const written = Buffer.alloc(bytes);
  written.writeUInt32LE(value);
  return written;
};
const u32 = (value: number) => number(value, 4);
const u64 = (value: number) => number(value, 8);
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

test("metadata and tensors are at the offsets of the format", () => {
  const file = writeGguf(
    {
      n: { type: "uint32", value: 7 },
      on: { type: "bool", value: true },
      é: { type: "string", value: "ü" },
      f: { type: "float32", value: 1.5 },
      list: { type: "int32s", value: [-1, 2] },
      names: { type: "strings", value: ["a", ""] },
    },
    [
      { name: "one", shape: [3], values: Float32Array.of(1, 2, 3) },
      { name: "two", shape: [2, 1], values: Float32Array.of(-4, 5) },
    ],
  );
  const head = Buffer.concat([
    ...[Buffer.from("GGUF"), u32(3), u64(2), u64(6)],
    ...[text("n"), u32(4), u32(7)],
    ...[text("on"), u32(7), Buffer.from([1])],
    ...[text("é"), u32(8), text("ü")],
    ...[text("f"), u32(6), Buffer.from([0, 0, 0xc0, 0x3f])],
    ...[text("list"), u32(9), u32(5), u64(2), Buffer.from([255, 255, 255, 255]), u32(2)],
    ...[text("names"), u32(9), u32(8), u64(2), text("a"), text("")],
    ...[text("one"), u32(1), u64(3), u32(0), u64(0)],
    ...[text("two"), u32(2), u64(2), u64(1), u32(0), u64(32)],
  ]);
  expect(file.subarray(0, head.length)).toEqual(head);
  const data = Math.ceil(head.length / 32) * 32;
  const floats = (at: number, count: number) =>
    Array.from({ length: count }, (_, index) => file.readFloatLE(data + at + index * 4));
  expect(floats(0, 3)).toEqual([1, 2, 3]);
  expect(floats(32, 2)).toEqual([-4, 5]);
  expect(file).toHaveLength(data + 64);
});

test("refuses a tensor whose number of values does not fit its shape", () => {
  expect(() => writeGguf({}, [{ name: "t", shape: [2, 2], values: Float32Array.of(1) }])).toThrow(
    "The tensor t has to hold 4 values; it holds 1.",
  );
});
