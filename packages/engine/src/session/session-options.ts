/** Declares the options of a session, and its interface. */
import type {
  AsksModel,
  AttachedFile,
  Command,
  ImageContent,
  PermissionMode,
  ServerQuestion,
  SessionEvent,
  View,
} from "@localharness/protocol";
import type { AuditLog } from "../audit.ts";
import type { Clock } from "../clock.ts";
import type { Compactor } from "../compactor.ts";
import type { Hooks } from "../hooks.ts";
import type { Model, ToolDefinition } from "../model.ts";
import type { Freedoms, PolicyRule, PolicyStore } from "../policy/rule.ts";
import type { GivenAnswer } from "../questions/ask-person.ts";
import type { FindCalls } from "../quoted/quoted-calls.ts";
import type { ToolRegistry } from "../registry.ts";
import type { Limits } from "../turn/limits.ts";
import type { AnswerForm } from "../turn/turn.ts";
import type { TurnEnd } from "../turn/turn-end.ts";
import type { SessionListener, TranscriptStore } from "./event-outlet.ts";

/** A question of an MCP server or of the model, before it has an id. */
export type AskedByServer = Omit<ServerQuestion, "questionId">;

/** A request of an MCP server for an answer of the person's model. */
export type ServersRequest = AskedByServer & { readonly server: string; readonly asks: AsksModel };

/** The answer of the model to a request of an MCP server. */
export type ModelAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      /** The name of the model. */
      readonly model: string;
      readonly stopReason: "endTurn" | "maxTokens";
    }
  /** `message` tells the server why there is no answer. */
  | { readonly ok: false; readonly message: string };

export interface SessionOptions {
  readonly model: Model;
  readonly registry: ToolRegistry;
  /** The system prompt, or a function that creates it when the session starts. The function must not reject. */
  readonly systemPrompt: string | (() => Promise<SystemPrompt>);
  /** The real path of the workspace. Remembered permissions hold only in this workspace. */
  readonly workspace: string;
  readonly mode?: PermissionMode;
  /**
   * True to offer `present_plan` to the model, and to tell the model when the mode `plan` begins and ends. The tool is offered
   * in every mode, so that a change of the mode does not change the prompt. False by default.
   */
  readonly plans?: boolean;
  /**
   * True to give the model `ask_person`, with which it asks the person a question. If nobody can answer, or a function returns
   * false, the model does not get its description; if nobody can answer, a call returns the default or an error. False by default.
   */
  readonly questions?: boolean | (() => boolean);
  readonly policyStore?: PolicyStore;
  readonly limits?: Partial<Limits>;
  /** Finds calls in the texts that the model gets. Without it, a quoted call is recognised only by its words. */
  readonly findCalls?: FindCalls;
  /**
   * Makes the prompt shorter when it nearly fills the context window. Without a compactor, a turn ends with an error if the
   * server refuses its prompt as too long.
   */
  readonly compactor?: Compactor;
  /** True to end a turn with an error when the window is nearly full, so that the person decides. False by default. */
  readonly compactsOnDemand?: boolean;
  /** The share of the context window that a prompt leaves for the answer; 0.2 by default. */
  readonly replyShare?: number;
  readonly clock?: Clock;
  /** False if nobody can be asked. The decision `ask` then counts as a denial, and the result says so. */
  readonly interactive: boolean;
  /** False if nobody can answer the questions of MCP servers and of the model, only those about calls. By default the value of `interactive`. */
  readonly answersServers?: boolean;
  readonly sessionId?: string;
  readonly store?: TranscriptStore;
  /**
   * All events of the session `sessionId`, in order, if this session continues an earlier one. Calls and turns that are still
   * open get new events that close them, and `systemPrompt` is not used. `createSession` throws `transcript-invalid` if the
   * messages are not a valid transcript.
   */
  readonly history?: readonly SessionEvent[];
  /** Records every call before it runs. */
  readonly audit?: AuditLog;
  /**
   * Masks known secrets in what tools and hooks return or report, in previews and questions to the model, and in the audit
   * log.
   */
  readonly mask?: (text: string) => string;
  /** A description of the sandbox that confines commands, for permission requests; a function if it may change. */
  readonly sandbox?: string | (() => string);
  /** False if the person has not trusted the folder; calls that could change something are then denied. True by default. */
  readonly trusted?: boolean;
  readonly freedoms?: Freedoms;
  /** Returns the real paths of the folders that the person has added to the workspace, which may change. None by default. */
  readonly added?: () => readonly string[];
  /** Programs of the person that run before and after calls and at the end of turns. */
  readonly hooks?: Hooks;
  /** Resolves to notes of the harness for the model, which come before the person's next message. */
  readonly news?: () => Promise<readonly string[]>;
  /** Returns the new notes for the model before its next call. Returns each note once. Must not throw. */
  readonly notes?: () => readonly string[];
}

export interface SystemPrompt {
  readonly text: string;
  /** Warnings for the person. */
  readonly warnings: readonly string[];
}

export interface Session {
  readonly id: string;
  /** Calls the listener for every later event. Returns a function that unsubscribes. */
  subscribe(listener: SessionListener): () => void;
  /**
   * Sends a command. A `user-message` that is sent during a turn reaches the model with its next call, or begins the next
   * turn if the turn ends before. A `permission-answer` does nothing if its question is not open. A closed session ignores
   * all commands.
   */
  send(command: Command): void;
  /** Denies all open questions and all later ones, because nobody will answer them. */
  leaveUnanswered(): void;
  /**
   * Runs a turn to its end, and one more turn for each message that came too late for it. Resolves to the end of the last
   * turn. The model gets the `files` right after the message. If `answer` is given, no tools are on offer and the server
   * can enforce a form, the model answers in this form. Rejects with `session-busy` while another turn or a compaction
   * runs, with `session-closed` after `close`, and if the turn cannot begin.
   */
  prompt(
    content: string,
    images?: readonly ImageContent[],
    answer?: AnswerForm,
    files?: readonly AttachedFile[],
  ): Promise<TurnEnd>;
  /**
   * Asks the person a question of an MCP server or of the model. Declines if nobody can be asked, and outside of a turn; cancels if the
   * signal aborts or the turn is interrupted. Never rejects.
   */
  askForServer(question: AskedByServer, signal: AbortSignal): Promise<GivenAnswer>;
  /** Shows the person a message, as an event. Before the session starts, the event waits for the start. */
  notice(level: "info" | "warning", code: string, message: string): void;
  view(): View;
  /** Returns the current mode, even before the session starts. */
  mode(): PermissionMode;
  /** Returns the name of the model that gives the next answer. */
  model(): string;
  /** Records the folders that `SessionOptions.added` returns now. Does nothing before the session starts, which records them too. */
  foldersChanged(): void;
  /** Returns the tools of the next turn, as descriptions for the model. */
  tools(): readonly ToolDefinition[];
  /** Returns the answers that hold for later calls until this session ends, as rules, the oldest first. */
  answers(): readonly PolicyRule[];
  /** Removes an answer of this session from memory, not from the store. Returns false if no answer has this id. */
  takeBackAnswer(id: string): boolean;
  /** Uses this model from the next model call on, even during a turn. */
  useModel(model: Model): void;
  /** Uses these tools from the next turn on. */
  useTools(registry: ToolRegistry): void;
  /** Resolves when neither a turn nor a compaction runs. */
  idle(): Promise<void>;
  /** Drops the messages that wait, interrupts the running turn, if there is one, waits for its end, and closes the store. */
  close(): Promise<void>;
}
