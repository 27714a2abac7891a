/** Starts the program. Answers `--version` and `--help` before anything else is loaded. */
import { version } from "@localharness/harness/version";

/** Runs the command line and returns its exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  if (first === "--version" || first === "-V" || first === "-v") {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (first === "--help" || first === "-h") {
    const { helpText } = await import("./help.ts");
    process.stdout.write(helpText() ?? "");
    return 0;
  }
  const { run } = await import("./run.ts");
  return run(argv);
}

/** Runs the command line, then ends the process after all output is written. */
export async function start(argv: readonly string[]): Promise<void> {
  // A closed pipe must not end the program with a stack trace. Each mode handles a closed pipe itself.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const code = await main(argv);
  process.exitCode = code;
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writable) await new Promise<void>((resolve) => stream.write("", () => resolve()));
  }
  // The work is done. Idle connections alone would keep the process alive for seconds.
  process.exit(code);
}

if (import.meta.main) void start(process.argv.slice(2));
