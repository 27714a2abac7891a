/** The limits that a row sets: those of the program, which are settings, and those of its process. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { Row } from "./row.ts";
import { number, record, type Shape } from "./shape.ts";

/** What sets a limit: a variable of the program's environment, or an option of the shell's `ulimit`. */
type Setter =
  | { readonly kind: "setting"; readonly variable: string; readonly divisor?: number }
  | { readonly kind: "heap" }
  | { readonly kind: "process"; readonly option: string; readonly factor?: number };

const setting = (variable: string, divisor?: number): Setter => ({
  kind: "setting",
  variable: `LOCALHARNESS_${variable}`,
  ...(divisor === undefined ? {} : { divisor }),
});

const calls = setting("CALLS_PER_ITERATION");
const iterations = setting("ITERATIONS_PER_TURN");
const heap: Setter = { kind: "heap" };

/** Each name of a limit in the rows, and what sets it. */
const setters: Readonly<Record<string, Setter>> = {
  calls_per_iteration: calls,
  max_calls: calls,
  max_calls_per_iteration: calls,
  max_tool_calls: calls,
  tool_calls_per_iteration: calls,
  iterations,
  iterations_per_turn: iterations,
  max_iterations: iterations,
  iterations_without_progress: setting("ITERATIONS_WITHOUT_PROGRESS"),
  calls_per_minute: setting("CALLS_PER_MINUTE"),
  max_calls_per_minute: setting("CALLS_PER_MINUTE"),
  commands_per_turn: setting("COMMANDS_PER_TURN"),
  max_commands: setting("COMMANDS_PER_TURN"),
  bytes_written_per_turn: setting("BYTES_WRITTEN_PER_TURN"),
  max_bytes_written: setting("BYTES_WRITTEN_PER_TURN"),
  answer_characters: setting("ANSWER_CHARACTERS"),
  max_answer_characters: setting("ANSWER_CHARACTERS"),
  first_token_seconds: setting("FIRST_TOKEN_SECONDS"),
  header_timeout_ms: setting("FIRST_TOKEN_SECONDS", 1_000),
  beside_seconds: setting("BESIDE_SECONDS"),
  num_ctx: setting("NUM_CTX"),
  context_tokens: setting("NUM_CTX"),
  memory: heap,
  memory_mb: heap,
  max_memory_mb: heap,
  open_files: { kind: "process", option: "n" },
  max_open_files: { kind: "process", option: "n" },
  processes: { kind: "process", option: "u" },
  // The shell counts blocks of 1,024 bytes.
  file_size_mb: { kind: "process", option: "f", factor: 1024 },
  cpu_seconds: { kind: "process", option: "t" },
};

export const limitsShape: Shape = record(
  Object.fromEntries(Object.keys(setters).map((name) => [name, number] as const)),
);

/** How the program starts under the limits of a row. */
export interface LimitedStart {
  readonly env: Readonly<Record<string, string>>;
  /** Words before the program on the command line. */
  readonly under: readonly string[];
}

/** Returns how to start the program with the limits of the row's parts `limits` and `memory`, and with `more` limits. */
export function limitedStart(row: Row, more: JsonObject = {}): LimitedStart {
  const memory = typeof row.memory === "number" ? { memory_mb: row.memory } : (row.memory ?? {});
  const env: Record<string, string> = {};
  const limits: string[] = [];
  for (const [name, value] of Object.entries({ ...row.limits, ...memory, ...more })) {
    const setter = setters[name];
    const given = Number(value);
    if (setter?.kind === "setting") env[setter.variable] = String(Math.ceil(given / (setter.divisor ?? 1)));
    if (setter?.kind === "heap") env["NODE_OPTIONS"] = `--max-old-space-size=${given}`;
    if (setter?.kind === "process") limits.push(`ulimit -${setter.option} ${given * (setter.factor ?? 1)}`);
  }
  const under = limits.length === 0 ? [] : ["bash", "-c", `${limits.join(" && ")} && exec "$@"`, "bash"];
  return { env, under };
}

/** Returns the limits that the check `config` names. */
export function checkedLimits({ check }: Row): JsonObject {
  const config = check["config"];
  return config !== undefined && isJsonObject(config) ? config : {};
}
