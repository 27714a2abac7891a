/** Makes the text of an instructions file what a person sees in it: nothing hidden, and no longer than it may be. */

/** Bytes of one file that go into the prompt. */
export const longestInstructions = 16 * 1024;

export interface CleanText {
  readonly text: string;
  /** Bytes of the whole file when it was cut. */
  readonly cutFrom?: number;
  readonly warnings: readonly string[];
}

// Characters that leave no mark: controls, zero-width, bidi, tags, selectors, lone surrogates. The joiners and the
// selector of emoji are part of ordinary text.
const hidden =
  /(?![\n\t])\p{Cc}|(?!\u200c|\u200d|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]|\p{Cs}/gu;

/** `name` is how the file is called in warnings. */
export function cleanInstructions(bytes: Buffer, name: string): CleanText {
  const warnings: string[] = [];
  const cut = bytes.length > longestInstructions;
  const whole = (cut ? cutAtLine(bytes) : bytes).toString("utf8").replace(/^\ufeff/, "");
  const unix = whole.replace(/\r\n?/g, "\n");
  const found = [...unix.matchAll(hidden)].map(([character]) => character);
  if (found.length > 0) {
    const codes = [...new Set(found)].slice(0, 3).map(codeOf).join(", ");
    warnings.push(
      `${name} holds ${found.length} characters that nobody sees (${codes}${new Set(found).size > 3 ? ", ..." : ""}): they were taken out before the model reads it`,
    );
  }
  if (cut) {
    const kept = `the first ${longestInstructions / 1024} KB of its ${Math.ceil(bytes.length / 1024)} KB`;
    warnings.push(`${name} is long: the model gets ${kept} with each message`);
  }
  const text = unix.replace(hidden, "").trim();
  return { text, warnings, ...(cut ? { cutFrom: bytes.length } : {}) };
}

/** At the end of a line, or at least of a character. */
function cutAtLine(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, longestInstructions);
  const line = head.lastIndexOf(10);
  if (line > longestInstructions / 2) return head.subarray(0, line);
  let end = head.length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, end);
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
