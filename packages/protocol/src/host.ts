/**
 * The interface between a screen and the program that shows it, for everything except the session itself. All methods are
 * asynchronous and exchange plain data, so that the program may run in another process. A method that fails rejects with
 * an `Error` whose message is for the person.
 */
import type { FolderChange } from "./folder-change.ts";
import type { ImageContent } from "./image.ts";
import type { AttachedFile, Mention } from "./mentions.ts";
import type { SessionLink } from "./session-link.ts";
import type { ToolScope } from "./tool-scope.ts";

export interface Host {
  /**
   * Opens the session that the screen shows next: a new session, a saved session, or a fork of the current session. A host
   * without a server closes the current session, and rejects while its turn runs.
   */
  open(which: SessionChoice): Promise<SessionLink>;
  listModels(): Promise<readonly ModelChoice[]>;
  /** Switches to this model, from the next iteration on. */
  useModel(name: string): Promise<void>;
  listTools(): Promise<readonly ToolChoice[]>;
  /**
   * Switches a tool on or off, from the next turn on. The scope is `kept` if it is absent; a tool of an MCP server is never
   * kept. If the switch cannot be saved, rejects, but the switch holds as with `session`.
   */
  switchTool(name: string, on: boolean, scope?: ToolScope): Promise<void>;
  /**
   * Saves the person's choice, if given, for the sessions that begin afterwards. Returns a description of the trust in the
   * folder.
   */
  changeTrust(choice?: TrustChoice): Promise<string>;
  /**
   * Adds a folder to the current session or takes one away, and returns a sentence about it. Without a change returns the list of the
   * folders with their trust. A relative path leads from the workspace.
   */
  changeFolders(change?: FolderChange): Promise<string>;
  listRules(): Promise<readonly RuleChoice[]>;
  forgetRule(id: string): Promise<void>;
  /**
   * Returns the saved sessions of the workspace that have messages, newest first. If `words` is not blank, only those that
   * contain each word. A host without a server leaves out the current session.
   */
  listSessions(words: string, signal: AbortSignal): Promise<readonly SessionSummary[]>;
  renameSession(id: string, name: string): Promise<void>;
  /**
   * Returns the name that the person gave to the current session, or else the beginning of its first message; empty if it has
   * neither or is not saved.
   */
  readSessionName(): Promise<string>;
  deleteSession(id: string): Promise<void>;
  /** Returns the fork tree of the current session, each session before its forks; empty if there is no other session. */
  listForks(): Promise<readonly ForkSummary[]>;
  /** Writes the current session to a file and returns its path. `path` is the person's choice; undefined for a default. */
  exportSession(format: ExportFormat, path: string | undefined): Promise<string>;
  /** Returns the parts of the next request's prompt: those of the system prompt, the tools, and the messages by kind. */
  listContext(): Promise<readonly ContextPart[]>;
  /**
   * Returns the number of tokens of the next request's prompt, counted by the server; undefined if the server cannot count
   * them without answering, or takes too long.
   */
  countContext(): Promise<number | undefined>;
  /** Returns the context window with its source, and how much of each turn's prompts the server had in its cache. */
  describeWindow(): Promise<WindowReport>;
  listCosts(): Promise<CostReport>;
  /** Returns the background commands, running or ended, oldest first. */
  listJobs(): Promise<readonly JobSummary[]>;
  /** Ends a background command and all processes that it has started. Rejects if it does not run. */
  endJob(id: string): Promise<void>;
  /** Returns the configured MCP servers, including servers that wait for the person's permission. */
  listServers(): Promise<readonly ServerSummary[]>;
  undo(turns: number): Promise<ChangeReport>;
  redo(): Promise<ChangeReport>;
  /**
   * Returns what an undo of the last turns, or of the turns with these ids, would do now, the last turn first; empty if there is
   * nothing to undo.
   */
  previewUndo(turns: number | readonly string[]): Promise<readonly UndoPreview[]>;
  /**
   * Undoes the file changes of these turns, and of commands that the person typed after them, from the last to the first. Stops before
   * a change of another turn.
   */
  undoTurns(turns: readonly string[]): Promise<ChangeReport>;
  /** Returns the file changes of the current session that are not undone, compared with the files as they are now. */
  listChanges(): Promise<SessionChanges>;
  listSettings(): Promise<readonly SettingField[]>;
  /** Saves one setting; undefined resets it. Returns an error message if the value is invalid or cannot be saved. */
  changeSetting(key: string, value: string | undefined): Promise<string | undefined>;
  /**
   * Returns the paths and the MCP resources that match the text typed after `@`, best first, without ignored files. May
   * return an empty list if it is called again before it resolves.
   */
  completePath(typed: string, limit: number): Promise<readonly string[]>;
  /**
   * Returns folders of the person's machine whose path begins with the text typed after `/add-dir`, each with a slash at its end. A
   * relative path leads from the workspace.
   */
  completeFolder(typed: string, limit: number): Promise<readonly string[]>;
  /**
   * Reads an image file that the person named, inside or outside the workspace. Its first bytes decide whether it is an
   * image.
   */
  readImage(path: string): Promise<ImageReading>;
  readClipboardImage(): Promise<ImageReading>;
  /** Reads the files of the workspace and the MCP resources that the person named in a message. Leaves out images. */
  attachFiles(mentions: readonly Mention[]): Promise<Attachments>;
  /** Returns true if the current model accepts images; undefined when it is not known. */
  canSee(): Promise<boolean | undefined>;
  /** Opens a draft in the person's own editor. The screen must have left the terminal. */
  editDraft(draft: string): Promise<DraftEdit>;
  /** Returns the commands that the person wrote as Markdown files. */
  listCustomCommands(): Promise<readonly CustomCommand[]>;
  /** Returns the skills of the person and of a trusted project, with the skills that cannot be used as `problems`. */
  listSkills(): Promise<SkillList>;
  /** Returns the message that a custom command expands to; `words` are its arguments. */
  expandCustomCommand(name: string, words: string): Promise<string>;
  /** Runs a shell command that the person typed (`!ls`), without a permission question. */
  runCommand(command: string, signal: AbortSignal, report: (text: string) => void): Promise<CommandReport>;
  /**
   * Runs a shell command that the person typed. The command uses the terminal, which the screen must have left. Its output is
   * not kept.
   */
  runInTerminal(command: string): Promise<CommandReport>;
  /**
   * Returns the git branch that is checked out in the workspace; undefined if there is no repository. For a workspace
   * elsewhere, returns the branch, if there is one, the name of the machine, and the delay of the link.
   */
  readBranch(): Promise<string | undefined>;
  /** Returns one or two words for the status line: whether a sandbox confines commands, or that the session only reads. */
  readSandbox(): Promise<string>;
  /** Returns a description of the program and the session for a bug report, without file contents, prompts or keys. */
  describeProgram(): Promise<string>;
  /** Returns the state of the program and the session: model, server, rules, limits, the files that were read. */
  describeStatus(): Promise<readonly StatusRow[]>;
  /** Returns the last messages that the person sent in sessions of this workspace, oldest first. */
  readHistory(): Promise<readonly string[]>;
  rememberMessage(message: string): Promise<void>;
}

export type SessionChoice =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly id: string }
  /** Forks the current session right before a user message; `beforeSeq` is the `seq` of that message's event. */
  | { readonly kind: "fork"; readonly beforeSeq: number };

export type ImageReading =
  | { readonly kind: "image"; readonly image: ImageContent }
  /** The file does not exist. */
  | { readonly kind: "absent" }
  /** `message` says why the file is not accepted. */
  | { readonly kind: "refused"; readonly message: string };

/** The files that are sent with a message. */
export interface Attachments {
  readonly files: readonly AttachedFile[];
  /** A remark for the person about each file that is not attached, unless its name is probably no path. */
  readonly remarks: readonly string[];
}

export type DraftEdit =
  /** The person edited the draft. `remark` is for the person. */
  | { readonly kind: "edited"; readonly text: string; readonly remark?: string }
  /** The draft stays as it was; `message` says why. */
  | { readonly kind: "kept"; readonly message: string };

export type ExportFormat = "markdown" | "json" | "html";

export interface ModelChoice {
  readonly name: string;
  readonly current: boolean;
  /** The context window in tokens; absent if the server does not report it. */
  readonly contextWindow?: number;
  readonly tools?: boolean;
  readonly vision?: boolean;
  /** The settings in use for the current model, with their sources; absent for other models, and if there are none. */
  readonly profile?: string;
  /** Size on the server's disk, in bytes. */
  readonly sizeBytes?: number;
}

export interface ToolChoice {
  readonly name: string;
  readonly about: string;
  readonly risk: string;
  readonly on: boolean;
  /** The reason why calls of this tool do not run in this session although the tool is on; absent if they can run. */
  readonly blocked?: string;
}

/** `yes` trusts the folder, `auto` also begins its sessions in mode `auto`, `read` does not trust it. */
export type TrustChoice = "yes" | "auto" | "read";

export interface RuleChoice {
  readonly id: string;
  /** The decision of the rule, in words. */
  readonly line: string;
  /** The folder in which the rule holds, its reason, and its id. */
  readonly about: string;
  /** True for a rule that holds only in other folders. */
  readonly elsewhere: boolean;
  /** False for a rule that cannot be removed here, such as a rule of the project. */
  readonly forgettable: boolean;
  /** True if the rule is an answer that the person gave for this session. Its removal takes effect with the next call. */
  readonly ofSession: boolean;
}

export interface SkillSummary {
  readonly name: string;
  readonly description: string;
  readonly origin: "user" | "project";
  /** The folder with the files of the skill. */
  readonly folder: string;
  /** Remarks for the person, such as keys of the file that are ignored. */
  readonly remarks: readonly string[];
}

export interface SkillList {
  readonly skills: readonly SkillSummary[];
  /** A message about each skill that is not used. */
  readonly problems: readonly string[];
}

export interface SessionSummary {
  readonly id: string;
  readonly name: string;
  /** Time of the last event, in Unix milliseconds. */
  readonly changed: number;
  readonly messages: number;
  readonly model: string;
  /** The session was made by a run (`-p`, `loop`), not by a chat. */
  readonly oneShot?: true;
  /** The text around the newest occurrence of the first search word, on one line; absent without a search. */
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
  /** An estimate of the tokens. */
  readonly tokens: number;
}

export interface WindowReport {
  /** The context window in tokens, and a sentence part that says where the figure comes from; absent if it is unknown. */
  readonly window?: { readonly tokens: number; readonly from: string };
  /** The last turns of the session since it was opened in this program, the oldest first. */
  readonly turns: readonly TurnReuse[];
}

/** The prompts of one turn, as the server counted them. */
export interface TurnReuse {
  readonly turnId: string;
  readonly requests: number;
  readonly inputTokens: number;
  /** The tokens that the server had in its cache; absent if it does not say. */
  readonly cachedTokens?: number;
  /** How often old results and answers were left out. */
  readonly compactions: number;
}

/** The costs of the current session since it was opened in this program. */
export interface CostReport {
  readonly models: readonly ModelCost[];
  readonly toolCalls: number;
  /** The time of all tool calls in milliseconds; the times of parallel calls are added up. */
  readonly toolMs: number;
  /** The cost by the prices in the person's settings; absent without prices. */
  readonly money?: number;
}

/** A command that runs in the background, or has ended. */
export interface JobSummary {
  readonly id: string;
  readonly command: string;
  /** `running`, or the end of the job in words. */
  readonly state: string;
  readonly running: boolean;
  /** The age of the job in milliseconds; for an ended job, the time that it ran. */
  readonly ageMs: number;
  readonly lastLine: string;
}

/** The state of an MCP server. Its texts come from the server and are cleaned when they are drawn. */
export interface ServerSummary {
  readonly name: string;
  /** The state in words. */
  readonly state: string;
  readonly running: boolean;
  /** The names under which its tools are offered. */
  readonly tools: readonly string[];
  /** Sentences about tools that are left out. */
  readonly problems: readonly string[];
  /** The last messages that the server logged, the newest last. */
  readonly logs: readonly string[];
}

export interface ModelCost {
  readonly model: string;
  readonly requests: number;
  /** The tokens of the prompts, counted by the server. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** The milliseconds from each request to the end of its answer, added up. */
  readonly ms: number;
}

export interface ChangeReport {
  /**
   * For each turn, a summary and at most 40 lines about the calls that made the changes, paths that were restored or left alone and
   * changes that were not recorded, and how many more there are. After the turns, hints such as how many turns are left. One line
   * if there was nothing to do. Control characters in paths are not escaped.
   */
  readonly lines: readonly string[];
  /** The number of paths that were restored. */
  readonly changed: number;
}

/**
 * One row of the status. The value may contain text from servers and files, so the screen removes control characters when it
 * draws it.
 */
export interface StatusRow {
  readonly name: string;
  readonly value: string;
}

/** What an undo would do with the changes of one turn. */
export interface UndoPreview {
  /** The `turnId` of the turn's events. */
  readonly turn: string;
  /**
   * A summary that names the turn, then a line for the calls that made the changes, and lines for what cannot be undone and for
   * each path.
   */
  readonly lines: readonly string[];
  /** The paths that would be restored. */
  readonly paths: readonly string[];
  /** The paths that would be left alone; absent if there are none. */
  readonly left?: readonly string[];
}

export interface SessionChanges {
  /** The changed files, sorted by path. */
  readonly files: readonly FileChange[];
  /** Sentences about changes that are not in the list. */
  readonly notes: readonly string[];
}

export interface FileChange {
  /** The path relative to the workspace; it ends with a slash for a folder. */
  readonly path: string;
  readonly kind: "created" | "changed" | "removed";
  /** The number of lines that the diff adds; absent without a diff. */
  readonly added?: number;
  /** The number of lines that the diff removes; absent without a diff. */
  readonly removed?: number;
  /** The unified diff; absent if the contents cannot be compared. */
  readonly diff?: string;
  /** Says why there is no diff, or that something else has changed the file since; absent when there is nothing to say. */
  readonly note?: string;
}

export interface SettingField {
  readonly key: string;
  readonly value: string | undefined;
  /** The text that is shown instead of a value that contains a secret, until the person edits it. */
  readonly shown?: string | undefined;
  /** The source of the value: `config.json`, an environment variable, an option; empty for a default. */
  readonly origin: string;
  /** The default value, or a description of its source. */
  readonly unset: string;
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
