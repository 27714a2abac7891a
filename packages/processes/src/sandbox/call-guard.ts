/**
 * Makes a program that loads a filter of system calls and then becomes the program in its arguments. The filter must not hold for
 * the helpers that lead the network into the sandbox, because socat needs what it refuses. So bubblewrap cannot load it, and few
 * systems have a program that can.
 */
import { callFilter } from "./call-filter.ts";

interface Machine {
  /** The number of the processor in the header of a program, see `elf.h`. */
  readonly number: number;
  /** Returns the instructions, for a table of the filter `distance` bytes after the first one, at the address `table`. */
  code(distance: number, table: number): Buffer;
}

/** Where a program is in memory. */
const base = 0x40_0000;

/** Exit code if the filter cannot be loaded, or the program cannot be started. */
export const guardFailed = 125;

/** no_new_privs; the filter; execve with the arguments after the first; exit. */
const machines: Readonly<Record<string, Machine>> = {
  x64: {
    number: 62,
    code: (_distance, table) => {
      const address = Buffer.alloc(8);
      address.writeBigUInt64LE(BigInt(table));
      return Buffer.from(
        [
          "bf26000000 be01000000 31d2 4d31d2 4d31c0 b89d000000 0f05", // prctl(38, 1, 0, 0, 0)
          `bf01000000 31f6 48ba${address.toString("hex")} b83d010000 0f05`, // seccomp(1, 0, table)
          "85c0 7518", // to exit, if it failed
          "488d742410 488b3e 488b0424 488d54c410 b83b000000 0f05", // execve(argv[1], argv + 1, envp)
          `bf${byte(guardFailed)}000000 b83c000000 0f05`, // exit
        ]
          .join("")
          .replaceAll(" ", ""),
        "hex",
      );
    },
  },
  arm64: {
    number: 183,
    code: (distance) => {
      const loadAddress = 7 * 4 + 2 * 4;
      return words([
        ...[0xd28004c0, 0xd2800021, 0xd2800002, 0xd2800003, 0xd2800004, 0xd28014e8, 0xd4000001], // prctl(38, 1, 0, 0, 0)
        ...[0xd2800020, 0xd2800001, adr(2, distance - loadAddress), 0xd28022a8, 0xd4000001], // seccomp(1, 0, table)
        0xb5000000 | (7 << 5), // to exit, if it failed
        ...[0xf94003e9, 0x910043e1, 0xf9400020, 0x8b090c22, 0xd2801ba8, 0xd4000001], // execve(argv[1], argv + 1, envp)
        ...[0xd2800000 | (guardFailed << 5), 0xd2800ba8, 0xd4000001], // exit
      ]);
    },
  },
};

/** Returns the instruction that puts the address `distance` bytes further into a register. */
function adr(register: number, distance: number): number {
  return (0x10000000 | ((distance & 3) << 29) | (((distance >> 2) & 0x7ffff) << 5) | register) >>> 0;
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
}

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}

const headers = 64 + 2 * 56;

/** Returns the program for Linux; undefined for a processor that it does not know. */
export function callGuard(processor: string = process.arch): Buffer | undefined {
  const machine = machines[processor];
  const filter = callFilter(processor);
  if (machine === undefined || filter === undefined) return undefined;
  // The length of the code does not depend on addresses. Tables begin at multiples of 8.
  const distance = Math.ceil(machine.code(0, 0).length / 8) * 8;
  const code = Buffer.alloc(distance);
  machine.code(distance, base + headers + distance).copy(code);
  const table = Buffer.alloc(16);
  table.writeUInt16LE(filter.length / 8, 0);
  table.writeBigUInt64LE(BigInt(base + headers + distance + table.length), 8);
  const body = Buffer.concat([code, table, filter]);
  return Buffer.concat([header(machine.number), segments(headers + body.length), body]);
}

/** The header of an executable file of 64 bits, see `elf.h`. */
function header(machine: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("7f454c46020101", "hex");
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(machine, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(BigInt(base + headers), 24);
  bytes.writeBigUInt64LE(64n, 32);
  for (const [offset, value] of [
    [52, 64],
    [54, 56],
    [56, 2],
    [58, 64],
  ] as const) {
    bytes.writeUInt16LE(value, offset);
  }
  return bytes;
}

/** One segment with the whole file, which is read and run, and a stack that is not run. */
function segments(length: number): Buffer {
  const bytes = Buffer.alloc(2 * 56);
  bytes.writeUInt32LE(1, 0);
  bytes.writeUInt32LE(5, 4);
  bytes.writeBigUInt64LE(BigInt(base), 16);
  bytes.writeBigUInt64LE(BigInt(base), 24);
  bytes.writeBigUInt64LE(BigInt(length), 32);
  bytes.writeBigUInt64LE(BigInt(length), 40);
  bytes.writeBigUInt64LE(0x1_0000n, 48);
  bytes.writeUInt32LE(0x6474e551, 56);
  bytes.writeUInt32LE(6, 60);
  return bytes;
}
