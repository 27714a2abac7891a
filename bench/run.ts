/**
 * Runs the benchmarks: `npm run bench [-- NAME ...] [--runs N] [--peers DIR] [--sessions N] [--seconds N] [--list]`. Without
 * a name it runs them all. `--list` only lists them. The variable BENCH_PEERS can replace `--peers`.
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Benchmark, BenchOptions } from "./benchmark.ts";

/** Returns the benchmarks of this folder by file name: the files that export a `benchmark`. */
async function findBenchmarks(): Promise<Map<string, Benchmark>> {
  const found = new Map<string, Benchmark>();
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".ts") && file !== "run.ts");
  for (const file of files.sort()) {
    const module: { benchmark?: Benchmark } = await import(join(import.meta.dirname, file));
    if (module.benchmark !== undefined) found.set(basename(file, ".ts"), module.benchmark);
  }
  return found;
}

function readOptions(argv: readonly string[]): { names: string[]; list: boolean; options: BenchOptions } {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      runs: { type: "string" },
      peers: { type: "string" },
      list: { type: "boolean" },
      sessions: { type: "string" },
      seconds: { type: "string" },
    },
  });
  const runs = countOf("runs", values.runs);
  const sessions = countOf("sessions", values.sessions);
  const seconds = countOf("seconds", values.seconds);
  const peers = values.peers ?? process.env["BENCH_PEERS"];
  if (peers !== undefined && !existsSync(peers)) throw new Error(`--peers: there is no folder ${peers}.`);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const note = (line: string) => void process.stderr.write(`${line}\n`);
  return {
    names: positionals,
    list: values.list === true,
    options: { runs, peers, sessions, seconds, print, note },
  };
}

function countOf(name: string, text: string | undefined): number | undefined {
  const count = text === undefined ? undefined : Number(text);
  if (count === undefined || (Number.isInteger(count) && count > 0)) return count;
  throw new Error(`--${name} takes a whole number above 0, not "${text}".`);
}

async function main(): Promise<number> {
  const { names, list, options } = readOptions(process.argv.slice(2));
  const benchmarks = await findBenchmarks();
  const unknown = names.find((name) => !benchmarks.has(name));
  if (unknown !== undefined || list || names.length === 0) {
    if (unknown !== undefined) options.note(`There is no benchmark "${unknown}". There are:`);
    for (const [name, { question }] of benchmarks) options.note(`  ${name.padEnd(14)} ${question}`);
    if (unknown !== undefined) return 2;
    if (list) return 0;
  }
  for (const name of names.length === 0 ? benchmarks.keys() : names) {
    options.print(`# ${name}: ${benchmarks.get(name)?.question}\n`);
    await benchmarks.get(name)?.run(options);
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
