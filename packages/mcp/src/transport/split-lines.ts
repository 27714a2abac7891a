/** Splits the output of a server into lines, in bounded memory. */

export interface LineSplitter {
  /** Returns the lines that this chunk completes. A line that is longer than the limit makes it return `too-long`. */
  push(chunk: Uint8Array): readonly string[] | "too-long";
}

/** `maxBytes` is the longest line that is kept. */
export function createLineSplitter(maxBytes: number): LineSplitter {
  const decoder = new TextDecoder();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        const part = chunk.subarray(from, end);
        if (heldBytes + part.length > maxBytes) return "too-long";
        lines.push(decoder.decode(Buffer.concat([...held, part])).replace(/\r$/, ""));
        held = [];
        heldBytes = 0;
        from = end + 1;
      }
      const rest = chunk.subarray(from);
      heldBytes += rest.length;
      if (heldBytes > maxBytes) return "too-long";
      // The chunk is copied, because its memory belongs to the process that reads it.
      if (rest.length > 0) held.push(Uint8Array.from(rest));
      return lines;
    },
  };
}
