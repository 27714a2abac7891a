/** Draws the timeline of a session: an item is frozen when it is finished, and the others are the live part. */
import {
  type Activity,
  countText,
  createTimeline,
  defined,
  type Item,
  type ItemOf,
  keptEvent,
  phaseText,
  promptProgressText,
  type SessionEvent,
  type TimelineChange,
  textWithImages,
} from "@localharness/protocol";
import type { Frozen } from "../screen/frozen-screen.ts";
import type { Theme } from "../theme/theme.ts";
import { callHead } from "./draw-call.ts";
import { drawItem } from "./draw-item.ts";
import type { DrawnItem } from "./item.ts";
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

export interface DrawnTranscript {
  /**
   * Takes an event. If `live` is false, the event comes from the session's history, and its items are kept but not
   * drawn.
   */
  take(event: SessionEvent, live?: boolean): void;
  /** Adds an item that did not come from an event, such as a notice of the screen. */
  add(item: DrawnItem): void;
  /** Draws and freezes an item that came from the history. */
  draw(item: DrawnItem): void;
  /** Returns the finished items, in the order in which they were finished. */
  items(): readonly DrawnItem[];
  drawLive(width: number): readonly string[];
  /** Returns a description of the turn's current activity; undefined if it is unknown. */
  doing(): string | undefined;
}

const restartText = "The text above was the model's thought: its prompt had opened it.";
const maxProgressChars = 2_000;

export function createTranscript(options: TranscriptOptions): DrawnTranscript {
  return new DrawnTimeline(options);
}

class DrawnTimeline implements DrawnTranscript {
  readonly #options: TranscriptOptions;
  readonly #timeline = createTimeline((change) => this.#follow(change));
  readonly #items: DrawnItem[] = [];
  #answer: LiveAnswer | undefined;
  #live = true;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  items(): readonly DrawnItem[] {
    return this.#items;
  }

  add(item: DrawnItem): void {
    this.#items.push(item);
    if (this.#live) this.draw(item);
  }

  take(event: SessionEvent, live = true): void {
    this.#live = live;
    this.#timeline.take(keptEvent(event), live ? this.#options.now() : undefined);
    // Later calls of `add` come from the screen itself, whose items are always drawn.
    this.#live = true;
  }

  #follow(change: TimelineChange): void {
    if (change.kind === "put") this.#finish(change.item);
    else if (change.item.kind !== "answer") return;
    else if (change.kind === "removed") this.#dropAnswer(change.item);
    else if (this.#live) {
      this.#answer ??= this.#beginAnswer();
      this.#answer.push(change.by);
    }
  }

  /** Adds an item if it is finished. */
  #finish(item: Item): void {
    switch (item.kind) {
      case "answer":
        // The answer is not drawn here, because the live answer was drawn part by part.
        this.#endAnswer();
        this.#items.push(item);
        return;
      case "call":
        if (item.state === "done") this.add(item);
        return;
      case "user":
        this.add(this.#withTypedPart(item));
        return;
      case "end":
        this.#endTurn(item);
        return;
      case "question":
        return;
      case "thought":
      case "notice":
      case "unreadable":
      case "command":
        this.add(item);
    }
  }

  #withTypedPart(item: ItemOf<"user">): DrawnItem {
    const { text: content, images } = item;
    const whole = (text: string) => textWithImages({ content: text, ...defined({ images }) });
    const typed = this.#options.typedPart?.(content);
    return { ...item, text: whole(content), ...(typed === undefined ? {} : { shown: whole(typed) }) };
  }

  #beginAnswer(): LiveAnswer {
    if (this.#items.at(-1)?.kind === "call") this.#options.freeze(() => [""]);
    return createLiveAnswer(this.#options.theme(), this.#options.freeze);
  }

  #endAnswer(): void {
    this.#answer?.end();
    this.#answer = undefined;
  }

  /** Forgets the answer so far. Lines that are already frozen stay on the screen, so a notice says what they were. */
  #dropAnswer({ live, text }: ItemOf<"answer">): void {
    if (!live) return;
    this.#endAnswer();
    if (text.trim() !== "" && this.#live) this.add({ kind: "notice", level: "info", text: restartText });
  }

  #endTurn({ reason, message = "unknown error" }: ItemOf<"end">): void {
    if (reason === "interrupted") this.add({ kind: "notice", level: "warning", text: "interrupted" });
    if (reason !== "error") return;
    this.add({ kind: "notice", level: "error", text: message });
    if (this.#live) this.add({ kind: "notice", level: "info", text: "↑ brings your message back" });
  }

  draw(item: DrawnItem): void {
    const drawing = { theme: this.#options.theme(), opened: false, rawCalls: this.#options.rawCalls() };
    this.#options.freeze((width) => drawItem(item, width, drawing));
  }

  drawLive(width: number): readonly string[] {
    const theme = this.#options.theme();
    const lines = [...(this.#answer?.draw(width) ?? [])];
    for (const item of this.#timeline.openCalls()) {
      lines.push(callHead(item, width, theme));
      if (item.progress === "") continue;
      const whose = item.agent === undefined ? "" : `${item.agent} `;
      const text = lastLines(whose + item.progress.slice(-maxProgressChars), 3);
      const tail = drawItem({ kind: "notice", level: "info", text }, width - 2, {
        theme,
        opened: false,
        rawCalls: false,
      });
      lines.push(...tail.slice(-3).map((line) => `  ${line}`));
    }
    return lines;
  }

  doing(): string | undefined {
    const activity = this.#timeline.activity();
    return activity && activityText(activity, this.#options.now());
  }
}

function activityText(activity: Activity, now: number): string {
  switch (activity.kind) {
    case "thinking":
      return `thinking, ${countText(activity.chars, "character")}`;
    case "writing-call":
      return `writing a call of ${activity.toolName}, ${countText(activity.chars, "character")}`;
    case "answering":
      return "answering";
    case "running":
      return `running ${activity.toolNames[0] ?? ""}`;
    case "reading":
      return promptProgressText(activity.progress);
    case "phase":
      return phaseText(activity.phase, now - (activity.since ?? now));
    case "pause":
      return "waiting to ask the model again";
    case "model":
      return "waiting for the model";
  }
}

function lastLines(text: string, most: number): string {
  return text.trimEnd().split("\n").slice(-most).join("\n");
}
