/** Turns the events of a session into transcript items, frozen when they are finished, and into the live part. */
import {
  defined,
  type PermissionRequest,
  type PhaseOfCall,
  phaseText,
  planOf,
  promptProgressText,
  type SessionEvent,
  textWithImages,
} from "@localharness/protocol";
import type { Frozen } from "../screen/frozen-screen.ts";
import type { Theme } from "../theme/theme.ts";
import { callHead } from "./draw-call.ts";
import { drawItem } from "./draw-item.ts";
import { type CallItem, type Item, keptResult } from "./item.ts";
import { createLiveAnswer, type LiveAnswer } from "./live-answer.ts";

export interface TranscriptOptions {
  theme(): Theme;
  rawCalls(): boolean;
  freeze(part: Frozen): void;
  /** Returns the part of a message that is drawn; undefined for all of it. */
  typedPart?(content: string): string | undefined;
  /** Returns the milliseconds of a monotonic clock. */
  now(): number;
}

export interface Transcript {
  /**
   * Takes an event. If `live` is false, the event comes from the session's history, and its items are kept but not
   * drawn.
   */
  take(event: SessionEvent, live?: boolean): void;
  /** Adds an item that did not come from an event, such as a notice of the screen. */
  add(item: Item): void;
  /** Draws and freezes an item that came from the history. */
  draw(item: Item): void;
  items(): readonly Item[];
  drawLive(width: number): readonly string[];
  /** Returns a description of the turn's current activity; undefined if it is unknown. */
  doing(): string | undefined;
}

interface Thought {
  readonly pieces: string[];
  size: number;
  readonly began: number;
}

const restartText = "The text above was the model's thought: its prompt had opened it.";

export function createTranscript(options: TranscriptOptions): Transcript {
  return new FollowedTranscript(options);
}

class FollowedTranscript implements Transcript {
  readonly #options: TranscriptOptions;
  readonly #items: Item[] = [];
  readonly #calls = new Map<string, CallItem>();
  readonly #previews = new Map<string, string>();
  /** The ids of the calls that the person is asked about, by the id of the question. */
  readonly #asked = new Map<string, string>();
  /** The facts about each call from its permission question and the answer, by call id. */
  readonly #told = new Map<string, Pick<CallItem, "plan" | "denied">>();
  #answer: LiveAnswer | undefined;
  #text: string[] = [];
  #thought: Thought | undefined;
  #writing: { readonly name: string; size: number } | undefined;
  /** Says what the turn waits for; false if it does not wait. */
  #waits: string | (() => string) | false = false;
  #live = true;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  items(): readonly Item[] {
    return this.#items;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#live) this.draw(item);
  }

  take(event: SessionEvent, live = true): void {
    this.#live = live;
    this.#takeAny(event);
    // Later calls of `add` come from the screen itself, whose items are always drawn.
    this.#live = true;
  }

  #takeAny(event: SessionEvent): void {
    switch (event.type) {
      case "user-message":
        this.add(userItem(event, this.#options.typedPart?.(event.content)));
        return;
      case "iteration-start":
        this.#waits = "waiting for the model";
        return;
      case "prompt-progress":
        this.#waits = promptProgressText(event);
        return;
      case "model-phase":
        this.#takePhase(event);
        return;
      case "turn-end":
        this.#endTurn(event);
        return;
      case "notice":
        this.add({ kind: "notice", level: event.level, text: event.message });
        return;
      case "model-retry":
        if (this.#waits !== false) {
          this.#waits = event.waitMs > 0 ? "waiting to ask the model again" : "waiting for the model";
        }
        this.add({ kind: "notice", level: "warning", text: event.message });
        return;
      case "permission-request":
        this.#preview(event.request);
        return;
      case "permission-answer":
        this.#takeAnswer(event);
        return;
      case "tool-start":
      case "tool-progress":
      case "tool-result":
        this.#takeTool(event);
        return;
      default:
        this.#takeModel(event);
        return;
    }
  }

  /** Keeps the phase for which the turn waits. `thinking` and `writing` are not kept, because their text is shown. */
  #takePhase(event: PhaseOfCall): void {
    if (event.phase === "thinking" || event.phase === "writing") return;
    const began = this.#options.now();
    this.#waits = () => phaseText(event, this.#options.now() - began);
  }

  #takeModel(event: SessionEvent): void {
    switch (event.type) {
      case "text-delta":
        this.#waits = false;
        this.#endThought();
        this.#text.push(event.text);
        if (!this.#live) return;
        this.#answer ??= this.#beginAnswer();
        this.#answer.push(event.text);
        return;
      case "reasoning-delta":
        this.#waits = false;
        this.#thought ??= { pieces: [], size: 0, began: this.#options.now() };
        this.#thought.pieces.push(event.text);
        this.#thought.size += event.text.length;
        return;
      case "answer-restart":
        this.#restart();
        return;
      case "tool-call-start":
        this.#waits = false;
        this.#writing = { name: event.name, size: 0 };
        return;
      case "tool-call-delta":
        if (this.#writing !== undefined) this.#writing.size += event.argumentsText.length;
        return;
      case "tool-call-end":
        this.#writing = undefined;
        this.#endText();
        this.#calls.set(event.id, call(event.id, event.name, event.arguments));
        return;
      case "tool-call-withdrawn":
        this.#writing = undefined;
        return;
      case "tool-call-error":
        this.#writing = undefined;
        this.#endText();
        this.add({ kind: "notice", level: "warning", text: unreadable(event.reason, event.message) });
        return;
      case "model-end":
      case "model-error":
        this.#waits = false;
        this.#writing = undefined;
        this.#endText(event.type === "model-error" ? partOf(event.code) : undefined);
        return;
      default:
        return;
    }
  }

  #beginAnswer(): LiveAnswer {
    if (this.#items.at(-1)?.kind === "call") this.#options.freeze(() => [""]);
    return createLiveAnswer(this.#options.theme(), this.#options.freeze);
  }

  #takeTool(event: Extract<SessionEvent, { type: "tool-start" | "tool-progress" | "tool-result" }>): void {
    const known = this.#calls.get(event.callId);
    if (event.type === "tool-start") {
      const started = call(event.callId, event.toolName, event.arguments);
      this.#calls.set(event.callId, { ...started, state: "running" });
      return;
    }
    if (event.type === "tool-progress") {
      const whose = event.agent === undefined ? "" : `${event.agent} `;
      if (known !== undefined) {
        this.#calls.set(event.callId, { ...known, progress: whose + event.text.slice(-2_000) });
      }
      return;
    }
    this.#calls.delete(event.callId);
    const diff = event.diff ?? this.#previews.get(event.callId);
    this.#previews.delete(event.callId);
    const toldOf = this.#told.get(event.callId);
    this.#told.delete(event.callId);
    this.add({
      ...(known ?? call(event.callId, event.toolName, "")),
      state: "done",
      progress: "",
      result: keptResult(event.result),
      ...defined({ diff }),
      ...toldOf,
    });
  }

  #preview(request: PermissionRequest): void {
    const { requestId, callId, preview } = request;
    this.#asked.set(requestId, callId);
    this.#told.set(callId, defined({ plan: planOf(request) }));
    if (preview !== undefined) this.#previews.set(callId, preview);
  }

  #takeAnswer(event: Extract<SessionEvent, { type: "permission-answer" }>): void {
    const callId = this.#asked.get(event.requestId);
    this.#asked.delete(event.requestId);
    if (callId !== undefined) this.#told.set(callId, { ...this.#told.get(callId), ...told(event) });
  }

  #endThought(): void {
    const thought = this.#thought;
    if (thought === undefined) return;
    this.#thought = undefined;
    const ms = this.#live ? this.#options.now() - thought.began : undefined;
    this.add({ kind: "thought", text: thought.pieces.join(""), ms });
  }

  #endText(cut?: "interrupted" | "error"): void {
    this.#endThought();
    this.#answer?.end();
    this.#answer = undefined;
    const text = this.#text.join("");
    this.#text = [];
    if (text === "") return;
    // The answer is not drawn here, because the live answer was drawn part by part.
    this.#items.push({ kind: "answer", text, ...defined({ cut }) });
  }

  /** Forgets the answer so far. Lines that are already frozen stay on the screen, so a notice says what they were. */
  #restart(): void {
    this.#writing = undefined;
    this.#thought = undefined;
    this.#answer?.end();
    this.#answer = undefined;
    const text = this.#text.join("").trim();
    this.#text = [];
    if (text !== "" && this.#live) this.add({ kind: "notice", level: "info", text: restartText });
  }

  #endTurn(event: Extract<SessionEvent, { type: "turn-end" }>): void {
    this.#endText();
    this.#calls.clear();
    this.#previews.clear();
    this.#told.clear();
    this.#asked.clear();
    this.#writing = undefined;
    this.#waits = false;
    if (event.reason === "interrupted") this.add({ kind: "notice", level: "warning", text: "interrupted" });
    if (event.reason === "error") {
      this.add({ kind: "notice", level: "error", text: event.message ?? event.code ?? "unknown error" });
      if (this.#live) this.add({ kind: "notice", level: "info", text: "↑ brings your message back" });
    }
  }

  draw(item: Item): void {
    const drawing = { theme: this.#options.theme(), opened: false, rawCalls: this.#options.rawCalls() };
    this.#options.freeze((width) => drawItem(item, width, drawing));
  }

  drawLive(width: number): readonly string[] {
    const theme = this.#options.theme();
    const lines = [...(this.#answer?.draw(width) ?? [])];
    for (const item of this.#calls.values()) {
      lines.push(callHead({ ...item, ...this.#told.get(item.callId) }, width, theme));
      if (item.state !== "running" || item.progress === "") continue;
      const tail = drawItem({ kind: "notice", level: "info", text: lastLines(item.progress, 3) }, width - 2, {
        theme,
        opened: false,
        rawCalls: false,
      });
      lines.push(...tail.slice(-3).map((line) => `  ${line}`));
    }
    return lines;
  }

  doing(): string | undefined {
    if (this.#thought !== undefined) return `thinking, ${this.#thought.size} characters`;
    if (this.#writing !== undefined) {
      return `writing a call of ${this.#writing.name}, ${this.#writing.size} characters`;
    }
    if (this.#answer !== undefined) return "answering";
    for (const item of this.#calls.values()) if (item.state === "running") return `running ${item.toolName}`;
    return (typeof this.#waits === "function" ? this.#waits() : this.#waits) || undefined;
  }
}

/** Returns the facts about a call from the person's answer: an edited plan, or the note of a denial. */
function told(
  event: Extract<SessionEvent, { type: "permission-answer" }>,
): Pick<CallItem, "plan" | "denied"> {
  const { answer, by, note = "", plan } = event;
  return defined({ plan, denied: answer === "deny" && by === "person" ? note : undefined });
}

function call(callId: string, toolName: string, args: CallItem["arguments"]): CallItem {
  return { kind: "call", callId, toolName, arguments: args, state: "waiting", progress: "" };
}

function unreadable(reason: string, message: string): string {
  return `unreadable tool call (${reason}): ${message.slice(0, 300)}`;
}

function partOf(code: string): "interrupted" | "error" {
  return code === "aborted" ? "interrupted" : "error";
}

function lastLines(text: string, most: number): string {
  return text.trimEnd().split("\n").slice(-most).join("\n");
}

function userItem(event: Extract<SessionEvent, { type: "user-message" }>, typed: string | undefined): Item {
  const { seq, from, images, path } = event;
  const shown = typed === undefined ? undefined : textWithImages({ ...event, content: typed });
  return { kind: "user", text: textWithImages(event), seq, from, ...defined({ shown, images, path }) };
}
