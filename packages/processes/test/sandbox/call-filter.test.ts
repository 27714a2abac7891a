/** Runs the filter of system calls as the kernel does. `open-sandbox.test.ts` gives it to the kernel. */
import { describe, expect, test } from "vitest";
import { callFilter } from "../../src/sandbox/call-filter.ts";

interface Call {
  readonly processor: number;
  readonly number: number;
  readonly args?: readonly number[];
}

/** Returns the answer of the filter to the call. Throws for an instruction that leads out of it, as the kernel refuses it. */
function answer(filter: Buffer, { processor, number, args = [] }: Call): "allowed" | "refused" {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(processor, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + index * 8);
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    switch (filter.readUInt16LE(at)) {
      case 0x20:
        loaded = data.readUInt32LE(value);
        break;
      case 0x54:
        loaded &= value;
        break;
      case 0x15:
        at += 8 * filter.readUInt8(at + (loaded === value ? 2 : 3));
        break;
      case 0x06:
        return value === 0x7fff0000 ? "allowed" : "refused";
      default:
        throw new Error(`unknown instruction at ${at}`);
    }
  }
  throw new Error("the filter has no answer");
}

describe.each([
  ["x64", 0xc000003e, 53, [248, 249, 250]],
  ["arm64", 0xc00000b7, 199, [217, 218, 219]],
] as const)("the filter for %s", (name, processor, socketpair, keyring) => {
  const filter = callFilter(name) ?? Buffer.alloc(0);
  const flags = 0o2000000 | 0o4000;

  test.each([
    ["a pair of stream sockets", [1, 1], "allowed"],
    ["a pair of packet sockets", [1, 5 | flags], "allowed"],
    ["a pair of datagram sockets", [1, 2], "refused"],
    ["a pair of datagram sockets with flags", [1, 2 | flags], "refused"],
    ["a pair of raw sockets, which are datagram sockets", [1, 3], "refused"],
    ["a type that does not exist yet", [1, 7], "refused"],
    ["a domain with more bits than the kernel reads", [2 ** 32 + 1, 2], "refused"],
    ["a pair in another domain", [30, 2], "allowed"],
  ] as const)("%s", (_title, args, expected) =>
    expect(answer(filter, { processor, number: socketpair, args })).toBe(expected),
  );

  test("refuses the keyring and other processors, and allows everything else", () => {
    const all = Array.from({ length: 500 }, (_, number) => number);
    const refused = all.filter((number) => answer(filter, { processor, number }) === "refused");
    expect(refused).toEqual([...keyring]);
    expect(answer(filter, { processor: 0x40000003, number: 20 })).toBe("refused");
  });
});

test("there is none for a processor without a helper of the runtime", () =>
  expect(callFilter("riscv64")).toBeUndefined());
