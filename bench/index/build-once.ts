/** Builds the index of a folder in a separate process: `build-once.ts FOLDER PARSERS` prints `{ms, peakMb, indexMb}`. */
import { readFileSync } from "node:fs";
import { openMeasured, withLag } from "./measured-graph.ts";

export interface BuiltOnce {
  readonly ms: number;
  /** The peak resident memory of the process with its threads. */
  readonly peakMb: number;
  readonly indexMb: number;
}

const [folder = "", parsers = "1"] = process.argv.slice(2);
await using opened = await openMeasured(folder, Number(parsers));
const { ms } = await withLag(() => opened.graph.build(new AbortController().signal));
const { bytes } = await opened.graph.status();
const [, peakKib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
const built: BuiltOnce = { ms, peakMb: (Number(peakKib) * 1_024) / 1e6, indexMb: bytes / 1_048_576 };
process.stdout.write(JSON.stringify(built));
