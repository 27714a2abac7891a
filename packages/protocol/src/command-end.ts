/** Reads the result of a finished command: its exit code or signal, and the size of an output that is shown in part. */
import { defined } from "./defined.ts";

export interface CommandEnd {
  /** The line with the exit code or the signal; empty for a command that runs in the background. */
  readonly line: string;
  readonly failed: boolean;
  /** The output without that line. */
  readonly output: string;
  /** The size of the whole output in bytes; present if `output` is only a part of it. */
  readonly wholeBytes?: number;
}

const endLine = /(?:^|\n)(exit code: (\d+)[^\n]*|killed by [^\n]*)$/;
const maxEndChars = 200;

/** Matches the line that the tool adds to a part of an output. */
const partLine =
  /(?:^|\n)\[(\d+) bytes; the [^\n]* is in [^\n]*: read_file reads it by offset and limit\]\n?$/;
const maxPartChars = 1_000;

/** Reads the data of a successful result of `bash`. */
export function readCommandEnd(data: string): CommandEnd {
  const [, line = "", code] = endLine.exec(data.slice(-maxEndChars)) ?? [];
  const output = data.slice(0, data.length - line.length);
  const whole = partLine.exec(output.slice(-maxPartChars))?.[1];
  return {
    line,
    failed: line !== "" && code !== "0",
    output,
    ...defined({ wholeBytes: whole === undefined ? undefined : Number(whole) }),
  };
}
