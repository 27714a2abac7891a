/** Splits the output of a server into lines, with a limit on the memory used. */

export interface LineSplitter {
  /** Returns the lines that this chunk completes. Returns `too-long` if a line is longer than the limit. */
  push(chunk: Uint8Array): readonly string[] | "too-long";
}

/** Creates the splitter. `maxBytes` is the maximum length of a line. */
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
      // The chunk is copied, because its memory belongs to the code that reads the process's output.
      if (rest.length > 0) held.push(Uint8Array.from(rest));
      return lines;
    },
  };
}
