/**
 * What the screen asks of the program around it, beside the session itself. Everything is plain data and answers later, so
 * that the program may run elsewhere. A method that fails rejects with an `Error` whose message is for the person.
 */
import type { ImageContent } from "./image.ts";
import type { SessionLink } from "./session-link.ts";

export interface Host {
  /** Which session the screen shows next: an empty one, one from the disk, or a branch of the current one. */
  open(which: SessionChoice): Promise<SessionLink>;
  listModels(): Promise<readonly ModelChoice[]>;
  /** For the next iteration and all after it. */
  useModel(name: string): Promise<void>;
  listTools(): Promise<readonly ToolChoice[]>;
  /** Kept for later sessions as well. */
  switchTool(name: string, on: boolean): Promise<void>;
  listRules(): Promise<readonly RuleChoice[]>;
  forgetRule(id: string): Promise<void>;
  /** Newest first; with words, those whose content has them. */
  listSessions(words: string, signal: AbortSignal): Promise<readonly SessionSummary[]>;
  renameSession(id: string, name: string): Promise<void>;
  deleteSession(id: string): Promise<void>;
  /** The forks of the current session, as a tree in reading order. */
  listForks(): Promise<readonly ForkSummary[]>;
  /** Writes the current session to a file of the person's and returns its path. */
  exportSession(format: ExportFormat, path: string | undefined): Promise<string>;
  /** What fills the prompt of the next request, in the order of the prompt. */
  listContext(): Promise<readonly ContextPart[]>;
  /** Tokens of that prompt, counted by the server; undefined where it cannot count without answering. */
  countContext(): Promise<number | undefined>;
  listCosts(): Promise<CostReport>;
  undo(turns: number): Promise<ChangeReport>;
  redo(): Promise<ChangeReport>;
  listSettings(): Promise<readonly SettingField[]>;
  /** Checks and keeps one setting; the message when it is not right. `undefined` takes it back to what holds without it. */
  changeSetting(key: string, value: string | undefined): Promise<string | undefined>;
  /** Paths of the workspace that match what is typed behind `@`, best first; ignored files left out. */
  completePath(typed: string, limit: number): Promise<readonly string[]>;
  /** A file that the person has named, wherever it lies, when it is an image by its first bytes. */
  readImage(path: string): Promise<ImageReading>;
  readClipboardImage(): Promise<ImageReading>;
  /** Whether the model in use sees images; undefined when nobody knows. */
  canSee(): Promise<boolean | undefined>;
  /** Commands that the person has written as Markdown files. */
  listCustomCommands(): Promise<readonly CustomCommand[]>;
  /** The message that a custom command stands for. */
  expandCustomCommand(name: string, words: string): Promise<string>;
  /** A command of the person's own, `!ls`: it asks nobody. */
  runCommand(command: string, signal: AbortSignal, report: (text: string) => void): Promise<CommandReport>;
  /** The branch that is checked out in the workspace; undefined without git. */
  readBranch(): Promise<string | undefined>;
  /** What happened, for a report of a mistake; without contents of files, prompts or keys. */
  describeProgram(): Promise<string>;
  /** The sent messages of earlier sessions in this workspace, oldest first. */
  readHistory(): Promise<readonly string[]>;
  rememberMessage(message: string): Promise<void>;
}

export type SessionChoice =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly id: string }
  /** Goes on from before the given user message of the current session, counted by the `seq` of its event. */
  | { readonly kind: "fork"; readonly beforeSeq: number };

export type ImageReading =
  | { readonly kind: "image"; readonly image: ImageContent }
  /** There is no such file. */
  | { readonly kind: "absent" }
  /** Why it cannot be taken. */
  | { readonly kind: "refused"; readonly message: string };

export type ExportFormat = "markdown" | "json" | "html";

export interface ModelChoice {
  readonly name: string;
  readonly current: boolean;
  /** Tokens; absent when the server does not say. */
  readonly contextWindow?: number;
  readonly tools?: boolean;
  readonly vision?: boolean;
  /** Bytes on the server's disk. */
  readonly sizeBytes?: number;
}

export interface ToolChoice {
  readonly name: string;
  readonly about: string;
  readonly risk: string;
  readonly on: boolean;
}

export interface RuleChoice {
  readonly id: string;
  readonly line: string;
  /** False for rules that are not the person's own to forget here. */
  readonly forgettable: boolean;
}

export interface SessionSummary {
  readonly id: string;
  readonly name: string;
  /** Unix milliseconds of its last event. */
  readonly changed: number;
  readonly messages: number;
  readonly model: string;
  /** A line of the content with the words that were searched. */
  readonly excerpt?: string;
}

export interface ForkSummary {
  readonly id: string;
  readonly depth: number;
  readonly name: string;
  readonly current: boolean;
  readonly messages: number;
}

export interface ContextPart {
  readonly name: string;
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
}

/** What the current session has cost since it was opened here. */
export interface CostReport {
  readonly models: readonly ModelCost[];
  readonly toolCalls: number;
  /** Milliseconds, the time of calls side by side added up. */
  readonly toolMs: number;
  /** By prices that the person has given; absent without. */
  readonly money?: number;
}

export interface ModelCost {
  readonly model: string;
  readonly requests: number;
  /** Tokens, as the server counted them. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Milliseconds from the request to the end of its answer. */
  readonly ms: number;
}

export interface ChangeReport {
  /** In words: what was put back, what was left alone and why. */
  readonly lines: readonly string[];
  readonly changed: number;
}

export interface SettingField {
  readonly key: string;
  readonly value: string | undefined;
  /** In place of a value that holds a secret, as long as it is not edited. */
  readonly shown?: string | undefined;
  /** Where the value comes from: `config.json`, a variable, an option, or nothing. */
  readonly origin: string;
  readonly about: string;
  readonly expected: string;
  readonly choices?: readonly string[];
}

export interface CustomCommand {
  readonly name: string;
  readonly about: string;
}

export interface CommandReport {
  readonly exitCode: number | undefined;
  readonly output: string;
}
