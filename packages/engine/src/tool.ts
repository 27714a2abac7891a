/** What a tool is to the engine: a name, a schema, what it may do, and one function. */
import type { Achievement, JsonObject, JsonValue, Risk, ToolErrorType } from "@localharness/protocol";
import type { DelegatedEnd, DelegatedWork } from "./delegate.ts";
import type { TurnMark } from "./hooks.ts";
import type { ParametersSchema } from "./json-schema.ts";
import type { CallFacts } from "./policy/facts.ts";

/** What a call gets besides its arguments. Everything else a tool needs is handed to the factory that makes it. */
export interface ToolContext {
  readonly callId: string;
  /** Aborted on a timeout, an interrupt, or when the session ends. */
  readonly signal: AbortSignal;
  /** Tells the person how long work is getting on; the newest text replaces the one before. */
  report(text: string): void;
  /**
   * True for what a rule denies this call, or asks about, although the call was allowed as a whole: a tool that walks
   * folders leaves it out and says so. The path as in `TouchedPath`. Absent when no rule speaks of paths.
   */
  denies?(path: string, access: "read" | "write"): boolean;
  /**
   * What `examine` found and the decision was made on. A tool that opens something that is not in it (because names
   * were exchanged in between) refuses. Absent when the call was made without a policy.
   */
  readonly examined?: CallFacts;
  /** The turn that the call belongs to; absent for a call on its own. */
  readonly turn?: TurnMark;
  /** Has a task done in a conversation of its own. Absent where that is not to be had: on its own, and within such a task. */
  delegate?(work: DelegatedWork): Promise<DelegatedEnd>;
}

export type ToolOutput =
  | {
      readonly ok: true;
      /** For the model. */
      readonly data: string;
      /** For screens: structure that need not be parsed out of `data`. */
      readonly details?: JsonValue;
      readonly achieved?: readonly Achievement[];
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly errorType: Exclude<ToolErrorType, "none">;
      /** What was expected, what came, what to do next: the model acts on it. */
      readonly message: string;
      /** What is worth keeping of a failed run, such as the output of a command. */
      readonly data?: string;
      readonly notes?: readonly string[];
    };

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  /** Other names that models use for this tool. Compared without case, `_` and `-`. */
  readonly aliases?: readonly string[];
  /** Other names that models use for a parameter: `{ path: ["file_path", "filename"] }`. Accepted, never advertised. */
  readonly parameterAliases?: Readonly<Record<string, readonly string[]>>;
  /** How much harm it can do; a function where that depends on the arguments. Pure. */
  readonly risk: Risk | ((args: JsonObject) => Risk);
  /** True when it changes nothing: it may run beside others, repeats are answered from the earlier result. */
  readonly readOnly: boolean;
  /** True when all that it changes are files of the workspace, which mode `accept-edits` allows without asking. */
  readonly editsFiles?: boolean;
  /** True when calling it again with the same arguments is how it is used (a clock, a job to wait for). */
  readonly polls?: boolean;
  /** Milliseconds, 120,000 by default. A function where the arguments can ask for more. */
  readonly timeoutMs?: number | ((args: JsonObject) => number);
  /** Milliseconds to come back after it was told to stop, 2,000 by default. */
  readonly graceMs?: number;
  /** What a `session` or `remember` answer covers besides the tool's name: the exact command, for example. */
  readonly grantScope?: (args: JsonObject) => string;
  /**
   * Looks at what this call would do, before the policy decides; changes nothing. When it throws, or takes longer than
   * 3 s, the call is asked about whatever was allowed.
   */
  examine?(args: JsonObject, signal: AbortSignal): Promise<CallFacts> | CallFacts;
  /**
   * Says why no rule may allow a program with any arguments, such as `an interpreter`; undefined for one that a rule may
   * allow so. For a tool whose calls are commands.
   */
  riskOfProgram?(program: string): string | undefined;
  /** The change this call would make, as a unified diff, for the permission prompt. Undefined when it cannot tell. */
  preview?(args: JsonObject, signal: AbortSignal): Promise<string | undefined>;
  /** A cheap mark of the state that the result depends on (size and time of a file). Undefined when unknown. */
  fingerprint?(args: JsonObject): Promise<string | undefined>;
  /** Throwing is a defect and becomes `internal_error`; what can go wrong is an output. */
  execute(args: JsonObject, context: ToolContext): Promise<ToolOutput>;
}

/** Has the compiler check a tool's shape where it is written. Returns it unchanged. */
export function defineTool(tool: Tool): Tool {
  return tool;
}

/** A failed output in one line. */
export function failed(
  errorType: Exclude<ToolErrorType, "none">,
  message: string,
  data?: string,
): ToolOutput {
  return data === undefined ? { ok: false, errorType, message } : { ok: false, errorType, message, data };
}
