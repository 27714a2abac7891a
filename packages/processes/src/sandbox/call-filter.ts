/**
 * Makes a filter of system calls for the kernel (seccomp), in addition to that of the sandbox runtime. The runtime refuses new Unix
 * sockets. But one end of a pair of datagram sockets can send to any socket that has a path, and the keyring of the login session
 * belongs to no namespace.
 */

/** The calls of a processor's own programs. */
interface Calls {
  /** The kernel's number of the processor. The runtime's filter ends a program that makes calls of another one. */
  readonly processor: number;
  /** The calls of the keyring: add_key, request_key and keyctl. */
  readonly keyring: readonly number[];
  readonly socketpair: number;
}

const calls: Readonly<Record<string, Calls>> = {
  x64: { processor: 0xc000003e, keyring: [248, 249, 250], socketpair: 53 },
  arm64: { processor: 0xc00000b7, keyring: [217, 218, 219], socketpair: 199 },
};

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** Instructions to skip if the comparison is true, and if it is false. */
  readonly skip?: readonly [ifTrue: number, ifFalse: number];
}

/** Classes of instructions, see `linux/bpf_common.h`. */
const [load, equal, and, answer] = [0x20, 0x15, 0x54, 0x06];
const allow: Instruction = { code: answer, value: 0x7fff0000 };
/** Refuses with `EPERM`. */
const refuse: Instruction = { code: answer, value: 0x00050001 };

/** Offsets in the kernel's description of a call. Arguments are numbers of 32 bits in the low half of their place. */
const place = { number: 0, processor: 4, first: 16, second: 24 };
const unixSockets = 1;
/** The types that are connected when they are made, and can send nowhere else: stream and sequenced packets. */
const connected = [1, 5];

/** Returns the filter as the kernel reads it; undefined for a processor that it does not know. */
export function callFilter(processor: string = process.arch): Buffer | undefined {
  const known = calls[processor];
  if (known === undefined) return undefined;
  return encoded([
    { code: load, value: place.processor },
    ...unless(known.processor, [refuse]),
    { code: load, value: place.number },
    ...known.keyring.flatMap((number) => when(number, [refuse])),
    ...unless(known.socketpair, [allow]),
    { code: load, value: place.first },
    ...unless(unixSockets, [allow]),
    { code: load, value: place.second },
    { code: and, value: 0xf },
    ...connected.flatMap((type) => when(type, [allow])),
    refuse,
  ]);
}

/** Runs the instructions if the loaded value is equal. */
function when(value: number, then: readonly Instruction[]): readonly Instruction[] {
  return [{ code: equal, value, skip: [0, then.length] }, ...then];
}

/** Runs the instructions if the loaded value is not equal. */
function unless(value: number, then: readonly Instruction[]): readonly Instruction[] {
  return [{ code: equal, value, skip: [then.length, 0] }, ...then];
}

function encoded(instructions: readonly Instruction[]): Buffer {
  const size = 8;
  const bytes = Buffer.alloc(instructions.length * size);
  for (const [index, { code, value, skip = [0, 0] }] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * size);
    bytes.writeUInt8(skip[0], index * size + 2);
    bytes.writeUInt8(skip[1], index * size + 3);
    bytes.writeUInt32LE(value, index * size + 4);
  }
  return bytes;
}
