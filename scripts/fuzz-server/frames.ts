/** Makes WebSocket frames, most of them wrong. */
import type { Random } from "./random.ts";

/** Returns one to six frames with random opcodes, flags, masks and lengths. */
export function randomFrames(random: Random): Buffer {
  return Buffer.concat(Array.from({ length: 1 + random.below(6) }, () => frame(random)));
}

function frame(random: Random): Buffer {
  const fin = random.oneIn(4) ? 0 : 0x80;
  const reserved = random.oneIn(6) ? random.below(8) << 4 : 0;
  const first = fin | reserved | random.below(16);
  const isMasked = !random.oneIn(5);
  const payload = random.bytes(random.pick([0, 1, 2, 5, 125, 126, 127, 1_000, 1_025, 5_000]));
  const mask = isMasked ? random.bytes(4) : Buffer.alloc(0);
  const body = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([Buffer.from([first]), lengthOf(payload.length, isMasked, random), mask, body]);
}

/** Returns the length field of a frame: usually with the real length, sometimes with a wrong one. */
function lengthOf(real: number, isMasked: boolean, random: Random): Buffer {
  const bit = isMasked ? 0x80 : 0;
  const told = random.oneIn(5) ? random.pick([0, 125, 65_535, 2 ** 30, 2 ** 40]) : real;
  if (told < 126 && !random.oneIn(10)) return Buffer.from([bit | told]);
  if (told < 65_536) {
    const bytes = Buffer.from([bit | 126, 0, 0]);
    bytes.writeUInt16BE(told, 1);
    return bytes;
  }
  const bytes = Buffer.alloc(9);
  bytes[0] = bit | 127;
  bytes.writeBigUInt64BE(random.oneIn(3) ? 2n ** 64n - 1n : BigInt(told), 1);
  return bytes;
}
