/** Where the program starts: `--version` and `--help` are answered before anything else is loaded. */
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

/** Runs the command line, then ends the process when all output is written. */
export async function start(argv: readonly string[]): Promise<void> {
  // A reader that left must not end the program with a stack trace; the modes see to what follows from it.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const code = await main(argv);
  process.exitCode = code;
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writable) await new Promise<void>((resolve) => stream.write("", () => resolve()));
  }
  // What is left are idle connections, which would hold the process for seconds.
  process.exit(code);
}

if (import.meta.main) void start(process.argv.slice(2));
