/** Declares a tool: its name, its parameters, its properties for the policy, and the function that runs it. */
import type {
  Achievement,
  ImageContent,
  JsonObject,
  JsonValue,
  PermissionMode,
  PlanApproval,
  Risk,
  ToolErrorType,
} from "@localharness/protocol";
import type { Aside } from "./aside.ts";
import type { DelegatedEnd, DelegatedWork } from "./delegated-work.ts";
import type { TurnMark } from "./hooks.ts";
import type { ParametersSchema } from "./json-schema.ts";
import type { CallFacts } from "./policy/facts.ts";
import type { ClosedPlaces } from "./policy/path-filter.ts";
import type { AskForTool } from "./question-elsewhere.ts";
import type { AskPerson } from "./questions/ask-person.ts";

/** The turn of a call, and the call in a few words, with which undo names it: `edit_file src/a.ts`. */
export interface CallMark extends TurnMark {
  readonly words?: string;
}

/** The context of one call of a tool. Resources that all calls share go to the function that creates the tool. */
export interface ToolContext {
  readonly callId: string;
  /** Aborts after the time limit, on an interrupt, and when the session ends. */
  readonly signal: AbortSignal;
  /** Shows the person the progress. Each text replaces the previous one. */
  report(text: string): void;
  /**
   * Returns true for a path that a rule denies or asks about, although the call as a whole was allowed; false for the paths
   * that the call names. A tool that walks folders leaves such a path out and says so. `path` has the form of
   * `TouchedPath.path`. Absent if there can be no such path.
   */
  denies?(path: string, access: "read" | "write"): boolean;
  /** The paths to close before a program runs. Absent if `denies` is. */
  readonly closedPlaces?: ClosedPlaces;
  /**
   * The facts from `examine` on which the decision was based. The tool must refuse to open any other file, because a name may
   * lead to another file by now. Absent if no policy decided.
   */
  readonly examined?: CallFacts;
  /** The mode in which the call was decided. Absent if no policy decided. */
  readonly mode?: PermissionMode;
  /** The turn of the call; absent for a call that belongs to no turn. */
  readonly turn?: CallMark;
  /** The person's approval of the plan that the call presents. Absent for every other call. */
  readonly approval?: PlanApproval;
  /** The id of the offer of `examine` that the person took. Absent if the person took none, or nobody was asked. */
  readonly offer?: string;
  /** Asks the session's model outside of the conversation. Absent for the calls of an agent and for a call without a session. */
  readonly aside?: Aside;
  /**
   * Asks the person about something that follows from this call: what another machine is to do for it, a port that its command
   * listens on, or a host that its command tries to reach. Absent in a call without a policy.
   */
  readonly ask?: AskForTool;
  /** Asks the person a question of the model. Absent for a call without a session. */
  readonly askPerson?: AskPerson;
  /** True if a person can answer `ask`. */
  readonly interactive?: boolean;
  /** Gives a task to an agent. Absent for the calls of an agent and for a call without a session. */
  delegate?(work: DelegatedWork): Promise<DelegatedEnd>;
}

export type ToolOutput =
  | {
      readonly ok: true;
      /** The text that the model reads. */
      readonly data: string;
      /** The same content as structured data, for screens. */
      readonly details?: JsonValue;
      /** The images of the result, within `imageLimits`. The model gets them in a message after the results of its answer. */
      readonly images?: readonly ImageContent[];
      readonly achieved?: readonly Achievement[];
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly errorType: Exclude<ToolErrorType, "none">;
      /** The error message for the model: the expected value, the actual value, and the next step. */
      readonly message: string;
      /** The reason in words for the person; absent if `message` is for both. */
      readonly why?: string;
      /** True if another machine, which decides itself, denied the call. It counts as denied in the turn. */
      readonly denied?: true;
      /** The output of a failed run, such as the output of a command. */
      readonly data?: string;
      readonly notes?: readonly string[];
    };

export type FailedOutput = Extract<ToolOutput, { ok: false }>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  /** Other names that models use for this tool, compared without case, `_` and `-`. */
  readonly aliases?: readonly string[];
  /** Other names that models use for a parameter: `{ path: ["file_path", "filename"] }`. Models do not see them. */
  readonly parameterAliases?: Readonly<Record<string, readonly string[]>>;
  /**
   * True if its name, description or parameters contain text from outside of the program, such as that of an MCP server. A call
   * that occurs in them may only be quoted.
   */
  readonly foreign?: boolean;
  /** The risk of a call; a pure function if it depends on the arguments. */
  readonly risk: Risk | ((args: JsonObject) => Risk);
  /** True if the tool changes nothing. Its calls may run in parallel, and the guard looks for duplicates among them. */
  readonly readOnly: boolean;
  /** True if the tool changes nothing but files of the workspace. The modes `accept-edits` and `auto` allow such calls. */
  readonly editsFiles?: boolean;
  /** True if the tool is meant to be called repeatedly with the same arguments, such as a tool that waits for a job. */
  readonly polls?: boolean;
  /**
   * The time limit in milliseconds, 120,000 by default; a function if it depends on the arguments. The time in which the tool
   * waits for `ToolContext.aside` or `ToolContext.ask` does not count.
   */
  readonly timeoutMs?: number | ((args: JsonObject) => number);
  /** The time limit in milliseconds for the return of the tool after its signal has aborted; 2,000 by default. */
  readonly graceMs?: number;
  /** Returns the scope of a `session` or `remember` answer in addition to the tool's name, such as the exact command. */
  readonly grantScope?: (args: JsonObject) => string;
  /**
   * Returns the facts about a call before the policy decides, and changes nothing. If it throws or takes longer than 3 s, the
   * person is asked, even if a rule allows the call.
   */
  examine?(args: JsonObject, signal: AbortSignal): Promise<CallFacts> | CallFacts;
  /**
   * Returns the reason why no rule may allow every call of a program, such as `an interpreter`; undefined if a rule may. Only
   * tools whose calls are commands have this method.
   */
  riskOfProgram?(program: string): string | undefined;
  /** Resolves to the change that the call would make, as a unified diff for the question; undefined if it is unknown. */
  preview?(args: JsonObject, signal: AbortSignal): Promise<string | undefined>;
  /**
   * If the call would fail or change nothing, resolves to its output, and nobody is asked about the call. Resolves to
   * undefined if the call may change something, or if the output would tell what the model was not yet allowed to read.
   * `mayShow` is true if a read of all paths of the call would run without a question.
   */
  foresee?(args: JsonObject, signal: AbortSignal, mayShow: boolean): Promise<ToolOutput | undefined>;
  /** Resolves to a short text that changes with the result, such as the size and time of a file; undefined if unknown. */
  fingerprint?(args: JsonObject): Promise<string | undefined>;
  /**
   * Returns true while models do not get the description of the tool, for example because it is one of many tools that they can
   * search. The value may change to false, but not back.
   */
  hidden?(): boolean;
  /** Runs the tool. An expected failure is an output; an exception is a defect and becomes `internal_error`. */
  execute(args: JsonObject, context: ToolContext): Promise<ToolOutput>;
}

/** Returns the tool unchanged, so that the compiler checks its type. */
export function defineTool(tool: Tool): Tool {
  return tool;
}

export function failed(
  errorType: Exclude<ToolErrorType, "none">,
  message: string,
  data?: string,
): ToolOutput {
  return data === undefined ? { ok: false, errorType, message } : { ok: false, errorType, message, data };
}
