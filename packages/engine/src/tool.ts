/** A tool: its name, its parameters, what the policy has to know of it, and the function that runs it. */
import type {
  Achievement,
  JsonObject,
  JsonValue,
  PlanApproval,
  Risk,
  ToolErrorType,
} from "@localharness/protocol";
import type { DelegatedEnd, DelegatedWork } from "./delegated-work.ts";
import type { TurnMark } from "./hooks.ts";
import type { ParametersSchema } from "./json-schema.ts";
import type { CallFacts } from "./policy/facts.ts";

/** What a tool gets for one call, besides the arguments. All else that it needs goes to the function that makes the tool. */
export interface ToolContext {
  readonly callId: string;
  /** Aborts after the time limit, on an interrupt, and when the session ends. */
  readonly signal: AbortSignal;
  /** Shows the person how far the work is. Each text replaces the one before. */
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
  /** The turn that the call belongs to; absent for a call without a session. */
  readonly turn?: TurnMark;
  /** The person's approval of the plan that the call presents. Absent for every other call. */
  readonly approval?: PlanApproval;
  /** Has an agent do a task. Absent for the calls of an agent, and for a call without a session. */
  delegate?(work: DelegatedWork): Promise<DelegatedEnd>;
}

export type ToolOutput =
  | {
      readonly ok: true;
      /** What the model reads. */
      readonly data: string;
      /** The same as structured data, for screens. */
      readonly details?: JsonValue;
      readonly achieved?: readonly Achievement[];
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly errorType: Exclude<ToolErrorType, "none">;
      /** What was expected, what came, and what to do next. The model reads it. */
      readonly message: string;
      /** What a failed run has brought all the same, such as the output of a command. */
      readonly data?: string;
      readonly notes?: readonly string[];
    };

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  /** Other names that models use for this tool, compared without case, `_` and `-`. */
  readonly aliases?: readonly string[];
  /** Other names that models use for a parameter: `{ path: ["file_path", "filename"] }`. Models are not told of them. */
  readonly parameterAliases?: Readonly<Record<string, readonly string[]>>;
  /** How much harm it can do; a function where that depends on the arguments. Pure. */
  readonly risk: Risk | ((args: JsonObject) => Risk);
  /** True when it changes nothing: it may run beside others, repeats are answered from the earlier result. */
  readonly readOnly: boolean;
  /** True when all that it changes are files of the workspace, which mode `accept-edits` allows without asking. */
  readonly editsFiles?: boolean;
  /** True for a tool that is meant to be called again with the same arguments, such as one that waits for a job. */
  readonly polls?: boolean;
  /** The time limit in milliseconds. Default: 120,000. A function where it depends on the arguments. */
  readonly timeoutMs?: number | ((args: JsonObject) => number);
  /** Milliseconds that it has to return after it was told to stop. Default: 2,000. */
  readonly graceMs?: number;
  /** What a `session` or `remember` answer covers besides the tool's name: the exact command, for example. */
  readonly grantScope?: (args: JsonObject) => string;
  /**
   * Looks at what this call would do, before the policy decides; changes nothing. When it throws, or takes longer than
   * 3 s, the call is asked about whatever was allowed.
   */
  examine?(args: JsonObject, signal: AbortSignal): Promise<CallFacts> | CallFacts;
  /**
   * Returns why no rule may allow a program with any arguments, such as `an interpreter`; undefined when a rule may. For a
   * tool whose calls are commands.
   */
  riskOfProgram?(program: string): string | undefined;
  /** Resolves to the change that the call would make, as a unified diff; undefined when it cannot tell. For the prompt. */
  preview?(args: JsonObject, signal: AbortSignal): Promise<string | undefined>;
  /** Resolves to a short text that changes with the result, such as the size and time of a file; undefined when unknown. */
  fingerprint?(args: JsonObject): Promise<string | undefined>;
  /** Runs the tool. A failure is an output; an exception is a defect, and becomes `internal_error`. */
  execute(args: JsonObject, context: ToolContext): Promise<ToolOutput>;
}

/** Returns the tool unchanged: the compiler checks it where it is written. */
export function defineTool(tool: Tool): Tool {
  return tool;
}

/** Returns a failed output. */
export function failed(
  errorType: Exclude<ToolErrorType, "none">,
  message: string,
  data?: string,
): ToolOutput {
  return data === undefined ? { ok: false, errorType, message } : { ok: false, errorType, message, data };
}
