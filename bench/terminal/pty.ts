/** Runs a program in a pseudo-terminal (`script` of util-linux), and measures its output, times, CPU and memory. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { quotedWords, spawnInTerminal } from "../../test/spawn-in-terminal.ts";
import { statFields } from "../measure/process-tree.ts";

export const columns = 100;
export const rows = 40;

export interface PtyProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Pty {
  /** The start time, in the clock of `performance.now`. */
  readonly began: number;
  type(text: string): void;
  /** Types text as soon as the terminal's own echo is off, so that only the program can show the text. */
  typeAhead(text: string): Promise<void>;
  /** Returns the number of output bytes so far. */
  bytes(): number;
  /**
   * Resolves to the time at which the output after about `from` bytes, or its last 4,000 characters, have the text. Searches
   * only the newest 400,000 characters. Rejects after `withinMs` (default 30 s). Only one call may wait at a time.
   */
  saw(text: string, from?: number, withinMs?: number): Promise<number>;
  /** Waits until the program has written nothing for `ms` milliseconds. */
  quiet(ms: number): Promise<void>;
  /** Returns the processor time of the program in milliseconds. */
  cpuMs(): number;
  /** Returns the resident memory of the program in MB. */
  memoryMb(): number;
  end(): Promise<void>;
}

/** Starts a program. Text typed before the program reads waits for it, and the terminal does not echo it. */
export function openPty(program: PtyProgram, home: string, workspace: string): Pty {
  const pidFile = join(home, "pid");
  writeFileSync(pidFile, "");
  const words = quotedWords([program.file, ...program.args]);
  const line = `stty -echo rows ${rows} cols ${columns}; echo $$ > '${pidFile}'; exec ${words}`;
  const began = performance.now();
  const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const child = spawnInTerminal(line, { home, workspace }, { PATH: path, ...program.env });
  let text = "";
  let size = 0;
  let last = began;
  let watcher: () => void = () => undefined;
  child.stdout.on("data", (piece: string) => {
    size += Buffer.byteLength(piece);
    // Only the newest output is searched.
    text = (text + piece).slice(-400_000);
    last = performance.now();
    watcher();
  });
  const stat = () => statFields(Number(readFileSync(pidFile, "utf8"))) ?? [];
  return {
    began,
    type: (keys) => void child.stdin.write(keys),
    async typeAhead(keys) {
      while (readFileSync(pidFile, "utf8") === "") await sleep(1);
      child.stdin.write(keys);
    },
    bytes: () => size,
    async saw(wanted, from = 0, withinMs = 30_000) {
      const start = text.length - (size - from);
      return await new Promise<number>((resolve, reject) => {
        const limit = setTimeout(() => {
          watcher = () => undefined;
          reject(new Error(`"${wanted}" did not come: ${JSON.stringify(text.slice(-500))}`));
        }, withinMs);
        watcher = () => {
          if (
            !text.includes(
              wanted,
              from === 0 ? 0 : Math.max(0, Math.min(start, text.length - wanted.length - 4_000)),
            )
          )
            return;
          clearTimeout(limit);
          watcher = () => undefined;
          resolve(performance.now());
        };
        watcher();
      });
    },
    async quiet(ms) {
      while (performance.now() - last < ms) await sleep(20);
    },
    // User and system time, in ticks of 10 ms.
    cpuMs: () => (Number(stat()[11]) + Number(stat()[12])) * 10,
    memoryMb: () => (Number(stat()[21]) * 4_096) / 1_000_000,
    async end() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}
