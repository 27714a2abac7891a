/** Writes text for people to a stream, without control characters, and handles a closed stream. */
import { plainText } from "./plain-text.ts";

/** The part of a Node stream that `TextOutput` uses. */
export interface Sink {
  write(text: string): unknown;
}

export interface TextOutput {
  /** Writes untrusted text after cleaning it, in the given style. The pieces of one answer must come in order. */
  write(text: string, style?: (text: string) => string): void;
  /** Writes the program's own text, which may contain colours and cursor movements. */
  raw(text: string): void;
  /** Ends the current line if it has text. */
  endLine(): void;
}

export function createTextOutput(sink: Sink): TextOutput {
  let lineOpen = false;
  let half = "";
  const put = (text: string, style?: (text: string) => string) => {
    if (text === "") return;
    lineOpen = !text.endsWith("\n");
    sink.write(style?.(text) ?? text);
  };
  return {
    write(text, style) {
      // A surrogate pair may be split between two pieces, so its first half waits for the next piece.
      const whole = half + text;
      half = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : "";
      put(plainText(half === "" ? whole : whole.slice(0, -1)), style);
    },
    raw: (text) => put(text),
    endLine() {
      half = "";
      if (lineOpen) put("\n");
    },
  };
}

/** Colours the program's own lines. Without colours it returns the text as it is. */
export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

export function createPaint(coloured: boolean): Paint {
  const style = (code: number) => (text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { dim: style(2), bold: style(1), red: style(31), green: style(32), yellow: style(33) };
}

/** Returns true if the stream is a terminal, unless NO_COLOR is set or TERM is "dumb". */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Calls `gone` once when the reader has closed the stream. Without an error handler a write would end the process. */
export function onReaderGone(stream: NodeJS.WritableStream, gone: () => void): void {
  stream.once("error", () => {
    stream.on("error", () => undefined);
    gone();
  });
}
