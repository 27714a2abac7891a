/** Declares the parts of the line-by-line chat that its slash commands use: options, session, output and host methods. */
import type { Session } from "@localharness/engine";
import type { CustomCommands } from "@localharness/harness/custom-commands/load-commands";
import type { Current, HostMethods } from "@localharness/harness/host/create-host";
import type { ChatTrust } from "@localharness/harness/trust/change-trust";
import type { Trust, TrustAnswer } from "@localharness/harness/trust/settle-trust";
import type { CommandOn, PermissionAnswer, SessionEvent } from "@localharness/protocol";
import type { EarlierSession, KeptSessions } from "@localharness/store/sessions/kept-sessions";
import type { FolderTalk } from "../commands/open-folders.ts";
import type { Paint, TextOutput } from "../terminal/output.ts";

export interface ChatOptions {
  /** The real path of the workspace. */
  readonly workspace: string;
  /** True if a sandbox confines commands. */
  readonly confined: boolean;
  /** Returns the trust in the folder. Calls `ask` if the person has not decided yet. */
  settleTrust(ask: () => Promise<TrustAnswer>, tell: (text: string) => void): Promise<Trust | "leave">;
  /** Opens the folders of `--add-dir` and those of the session to continue. Rejects if one cannot be added. */
  openFolders(talk: FolderTalk): Promise<void>;
  /** Call it before a further session begins. Resolves to remarks for the person. */
  beginFolders(earlier?: EarlierSession): Promise<readonly string[]>;
  /** Starts a session, or continues an earlier session. Called again for /new, /resume and /fork. */
  newSession(trust: Trust, earlier?: EarlierSession): Session;
  /** The saved sessions; undefined if sessions are not saved. */
  readonly sessions: KeptSessions | undefined;
  /** The session to continue; undefined to start a new session. */
  readonly earlier: EarlierSession | undefined;
  /** Returns the lines to show above the first prompt. */
  greeting(trust: Trust): readonly string[];
  readonly firstMessage: string;
  readonly answer: PermissionAnswer | undefined;
  /** Returns the file tree of the workspace, for /files. */
  listTree(): Promise<string>;
  /** Returns the custom commands of the person and of a trusted project. */
  commands(trust: Trust): CustomCommands;
  /** Loads the host methods for the current session. Called when a command needs them for the first time. */
  openMethods(trust: ChatTrust, current: Current): Promise<HostMethods>;
  /** Opens the trust in the folder, which /trust can change; `first` is the trust at the start of the chat. */
  openTrust(first: Trust): ChatTrust;
  /** Ends the child processes of tools within 2 s. */
  endChildren(): Promise<void>;
}

export interface Chat {
  readonly options: ChatOptions;
  readonly output: TextOutput;
  readonly paint: Paint;
  /** The custom commands that are available with the trust with which the session began. */
  commands: CustomCommands;
  session: Session;
  methods(): Promise<HostMethods>;
  /** Returns the events of the task tools since the beginning of the session. */
  taskEvents(): readonly SessionEvent[];
  /** True after /quit. */
  leaving: boolean;
  /** Closes this session and starts a new one, or continues an earlier one. */
  startOver(earlier?: EarlierSession): Promise<void>;
}

/**
 * Runs a slash command; `rest` is the trimmed text after its name. Returns the message for the model if the command has one. If
 * it throws or rejects, the chat prints the error.
 */
export type ChatCommandRun = (chat: Chat, rest: string) => void | Promise<void> | Promise<string>;

/** The functions of some slash commands. */
export type ChatCommandRuns = Readonly<Partial<Record<CommandOn<"lines">, ChatCommandRun>>>;
