/** What a session is made from, and what its owner can do with it. */
import type { Command, ImageContent, PermissionMode, SessionEvent, View } from "@localharness/protocol";
import type { AuditLog } from "../audit.ts";
import type { Clock } from "../clock.ts";
import type { Hooks } from "../hooks.ts";
import type { Model } from "../model.ts";
import type { PolicyStore } from "../policy/rule.ts";
import type { FindCalls } from "../quoted/quoted-calls.ts";
import type { ToolRegistry } from "../registry.ts";
import type { Limits } from "../turn/limits.ts";
import type { AnswerForm } from "../turn/turn.ts";
import type { TurnEnd } from "../turn/turn-end.ts";
import type { SessionListener, TranscriptStore } from "./event-outlet.ts";

export interface SessionOptions {
  readonly model: Model;
  readonly registry: ToolRegistry;
  /** Or a function that makes it when the session starts; it must not reject. */
  readonly systemPrompt: string | (() => Promise<SystemPrompt>);
  /** The real path of the workspace. Remembered permissions hold in this workspace only. */
  readonly workspace: string;
  readonly mode?: PermissionMode;
  readonly policyStore?: PolicyStore;
  readonly limits?: Partial<Limits>;
  /** Finds the calls in a text that the model is given. Default: a quoted call is recognised by its words alone. */
  readonly findCalls?: FindCalls;
  readonly clock?: Clock;
  /** False when nobody can be asked. An `ask` is then a deny, and the result says so. */
  readonly interactive: boolean;
  readonly sessionId?: string;
  readonly store?: TranscriptStore;
  /**
   * All events of an earlier session with the id `sessionId`, in order: the session goes on with it. New events close what
   * it left open, and `systemPrompt` is not used. Throws `transcript-invalid` when its messages do not make a valid transcript.
   */
  readonly history?: readonly SessionEvent[];
  /** Records every call before it runs. */
  readonly audit?: AuditLog;
  /** Takes known secrets out of the results of tools and out of the audit log. */
  readonly mask?: (text: string) => string;
  /** What confines the commands of this session, in words. Every permission request shows it. */
  readonly sandbox?: string;
  /** False for a folder that the person has not trusted: calls that could change something are denied. Default: true. */
  readonly trusted?: boolean;
  /** Programs of the person that are run around calls and turns. */
  readonly hooks?: Hooks;
  /** Resolves to what the harness tells the model before the person's next message. */
  readonly news?: () => Promise<readonly string[]>;
  /** Returns what the harness tells the model before its next call, each note once. Must not throw. */
  readonly notes?: () => readonly string[];
}

export interface SystemPrompt {
  readonly text: string;
  /** For the person. */
  readonly warnings: readonly string[];
}

export interface Session {
  readonly id: string;
  /** Calls the listener for every event from now on. Returns a function that ends this. */
  subscribe(listener: SessionListener): () => void;
  /**
   * Takes a command. A `user-message` while a turn runs reaches the model with its next call. A `permission-answer` does
   * nothing when its question is not open. A closed session takes no commands.
   */
  send(command: Command): void;
  /** Nobody answers from now on: each question, also one that is open, is denied. */
  leaveUnanswered(): void;
  /**
   * Runs a turn to its end. The model is held to the form of `answer` where its server can do that. Rejects with
   * `session-busy` while another turn runs, and with `session-closed` after `close`.
   */
  prompt(content: string, images?: readonly ImageContent[], answer?: AnswerForm): Promise<TurnEnd>;
  /** Tells the person something, with an event. Before the session starts, the event waits until it does. */
  notice(level: "info" | "warning", code: string, message: string): void;
  view(): View;
  /** Returns the mode in force, also before the session has started. */
  mode(): PermissionMode;
  /** Returns the name of the model that gives the next answer. */
  model(): string;
  /** Uses this model from the next model call on, also within a turn that runs. */
  useModel(model: Model): void;
  /** Uses these tools from the next turn on. */
  useTools(registry: ToolRegistry): void;
  /** Resolves when no turn runs. */
  idle(): Promise<void>;
  /** Interrupts the turn that runs, if one does, and waits for its end. */
  close(): Promise<void>;
}
