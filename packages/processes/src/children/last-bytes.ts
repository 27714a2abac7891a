/** Keeps the last bytes of a stream in one ring buffer, so that gigabytes of output leave no garbage to collect. */

export interface LastBytes {
  push(chunk: Buffer): void;
  /** Returns the last `most` bytes; all kept bytes if `most` is absent or larger. */
  read(most?: number): Buffer;
}

export function createLastBytes(size: number): LastBytes {
  let ring: Buffer | undefined;
  /** Offset of the next byte in the ring. */
  let at = 0;
  let kept = 0;
  return {
    push(chunk) {
      if (chunk.length === 0 || size === 0) return;
      ring ??= Buffer.alloc(size);
      const last = chunk.subarray(Math.max(0, chunk.length - size));
      const first = last.copy(ring, at);
      last.copy(ring, 0, first);
      at = (at + last.length) % size;
      kept = Math.min(size, kept + last.length);
    },
    read(most = size) {
      const length = Math.min(most, kept);
      if (ring === undefined || length === 0) return Buffer.alloc(0);
      const start = (at - length + size) % size;
      const end = start + length;
      return end <= size
        ? Buffer.from(ring.subarray(start, end))
        : Buffer.concat([ring.subarray(start), ring.subarray(0, end - size)]);
    },
  };
}
