/** What a session is made of, and what whoever has one may do. */
import type { Command, ImageContent, PermissionMode, SessionEvent, View } from "@localharness/protocol";
import type { TurnEnd } from "./agent-loop.ts";
import type { AuditLog } from "./audit.ts";
import type { Clock } from "./clock.ts";
import type { Hooks } from "./hooks.ts";
import type { Model } from "./model.ts";
import type { PolicyStore } from "./policy/rule.ts";
import type { FindCalls } from "./quoted/quoted-calls.ts";
import type { ToolRegistry } from "./registry.ts";
import type { TranscriptStore } from "./transcript-store.ts";
import type { AnswerForm, Limits } from "./turn.ts";

export interface SessionOptions {
  readonly model: Model;
  readonly registry: ToolRegistry;
  /** A function where it is put together when the session starts; it must not reject. */
  readonly systemPrompt: string | (() => Promise<SystemPrompt>);
  /** Real path of the workspace: remembered permissions hold in it alone. */
  readonly workspace: string;
  readonly mode?: PermissionMode;
  readonly policyStore?: PolicyStore;
  readonly limits?: Partial<Limits>;
  /** Finds the calls that stand in what the model is given. Absent: those in its text are compared with the words alone. */
  readonly findCalls?: FindCalls;
  readonly clock?: Clock;
  /** False when nobody can be asked: an `ask` is then a deny, and the result says so. */
  readonly interactive: boolean;
  readonly sessionId?: string;
  readonly store?: TranscriptStore;
  /**
   * All events of an earlier session that is gone on with, in order; `sessionId` is its id. What it left open is closed
   * by events of its own. `systemPrompt` is not used. Throws `conversation-invalid` when they make no conversation.
   */
  readonly history?: readonly SessionEvent[];
  /** Where calls are put on record before they run. */
  readonly audit?: AuditLog;
  /** Takes known secrets out of what tools give back and out of what is put on record. */
  readonly mask?: (text: string) => string;
  /** What confines the commands of this session, in words: shown in every permission request. */
  readonly sandbox?: string;
  /** False for a folder that nobody has said to trust: whatever could change something is denied. True by default. */
  readonly trusted?: boolean;
  /** What looks in on calls and turns. */
  readonly hooks?: Hooks;
  /** What the model is to be told, in the harness's name, before the person's next message. */
  readonly news?: () => Promise<readonly string[]>;
}

export interface SystemPrompt {
  readonly text: string;
  /** For the person. */
  readonly warnings: readonly string[];
}

export interface Session {
  readonly id: string;
  /** Calls the listener for every event from now on; returns what ends that. */
  subscribe(listener: SessionListener): () => void;
  /**
   * A `user-message` while a turn runs is taken in before the next model call. A `permission-answer` to what is not
   * asked, or not asked any more, does nothing. A closed session takes no commands.
   */
  send(command: Command): void;
  /** From now on nobody answers: what is asked, also what is open, is denied as where nobody can be asked. */
  leaveUnanswered(): void;
  /** Runs a turn to its end. `images` go along with the message; the model is held to `answer` where its server can. Rejects with `session-busy` while another runs, with `session-closed` after `close`. */
  prompt(content: string, images?: readonly ImageContent[], answer?: AnswerForm): Promise<TurnEnd>;
  /** Tells the person something from outside of the session, as an event like any other; not before the session starts. */
  notice(level: "info" | "warning", code: string, message: string): void;
  view(): View;
  /** The one that holds, also before the session has started; the view has it from then on. */
  mode(): PermissionMode;
  /** For the next model call and all after it, also within a turn that runs. */
  useModel(model: Model): void;
  /** For the next turn and all after it. */
  useTools(registry: ToolRegistry): void;
  /** Resolves when no turn runs. */
  idle(): Promise<void>;
  /** Interrupts what runs and waits for it. */
  close(): Promise<void>;
}

export type SessionListener = (event: SessionEvent) => void;
