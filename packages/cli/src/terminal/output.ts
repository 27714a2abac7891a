/** Where text for people goes: a stream, made harmless on the way, and quiet once nobody reads it any more. */
import { plainText } from "./plain-text.ts";

/** The part of a Node stream that is needed. */
export interface Sink {
  write(text: string): unknown;
}

export interface TextOutput {
  /** Text from anywhere, as `style` makes it look. Pieces of one answer come in order. */
  write(text: string, style?: (text: string) => string): void;
  /** Our own text, that may hold colours and cursor movements. */
  raw(text: string): void;
  /** Ends the line that is open, if one is. */
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
      // A character beyond U+FFFF may come as two halves in two pieces.
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

/** Colours of our own lines; none where the stream is no terminal or NO_COLOR is set. */
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

/** True when a stream should get colours. */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Calls `gone` once when whoever reads the stream has left; without this a write would end the process. */
export function onReaderGone(stream: NodeJS.WritableStream, gone: () => void): void {
  stream.once("error", () => {
    stream.on("error", () => undefined);
    gone();
  });
}
