/**
 * Maps model events to model events: text that is a call becomes tool-call events. A call counts only if the answer ends
 * with `model-end` and has no native calls; otherwise it stays text.
 */
import {
  type CallFormat,
  createDetector,
  type DetectEvent,
  type Detector,
  exampleCall,
  type FormatId,
  toMessages,
} from "@localharness/detect";
import { maxCallsInAnswer, type ToolDefinition, type ToolNames, toolNames } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { CallIds } from "../answer/call-ids.ts";
import { beyondEvent } from "../answer/calls-beyond.ts";
import type { ModelEnd } from "../answer/settle-end.ts";
import { offeredName, readNativeCall } from "./read-native-call.ts";
import { sharedTools } from "./shared-tools.ts";
import { createShownAnswer } from "./shown-answer.ts";
import type { TextReading } from "./stands-alone.ts";

type Found = Extract<DetectEvent, { type: "tool-call-end" | "tool-call-error" }>;
type Settled = Extract<ModelEvent, { type: "tool-call-end" | "tool-call-error" }>;

/** Remembers whether the prompt of a model opens a thought. */
export interface PromptThoughts {
  /** Returns true if the next answer probably begins inside a thought. */
  expected(): boolean;
  /** Notes whether an answer began inside a thought. */
  note(starts: boolean): void;
}

export interface TextCallOptions {
  readonly tools: readonly ToolDefinition[];
  readonly formats: readonly FormatId[] | "auto";
  readonly ids: CallIds;
  /** How much of the text is read for calls; `usual` by default. */
  readonly reading?: TextReading;
  /** The maximum number of calls that are kept; `maxCallsInAnswer` by default. */
  readonly maxCalls?: number;
  readonly thoughts?: PromptThoughts;
  /** The name of the model. */
  readonly model?: string;
}

export class TextCallReader {
  readonly #tools: readonly ToolDefinition[];
  #names: ToolNames<ToolDefinition> | undefined;
  readonly #formats: readonly FormatId[] | "auto";
  /**
   * The detector. It is created when the first text comes, because an answer with only native calls does not need it.
   */
  #detector: Detector | undefined;
  readonly #ids: CallIds;
  readonly #reading: TextReading;
  /** The index and id of each call in the model events, by the detector's index of the call. */
  readonly #started = new Map<number, { readonly index: number; readonly id: string }>();
  readonly #maxCalls: number;
  readonly #thoughts: PromptThoughts | undefined;
  readonly #model: string | undefined;
  /**
   * The pieces of text so far, as long as they are read as a thought that the prompt may have opened; undefined
   * otherwise.
   */
  #expected: string[] | undefined;
  /** True once the server has sent a thought separately from the text. */
  #reasoned = false;
  readonly #shown = createShownAnswer();
  #open: number | undefined;
  #nextIndex = 0;
  #held: { readonly found: Found; readonly event: Settled }[] = [];
  #native = false;
  #nativeFrom = 0;

  constructor(options: TextCallOptions) {
    this.#tools = options.tools;
    this.#ids = options.ids;
    this.#formats = options.formats;
    this.#reading = options.reading ?? "usual";
    this.#maxCalls = options.maxCalls ?? maxCallsInAnswer;
    this.#thoughts = options.thoughts;
    this.#model = options.model;
  }

  /** Returns the events that replace this one. */
  push(event: ModelEvent): readonly ModelEvent[] {
    switch (event.type) {
      case "text-delta":
        return this.#readsNone ? [event] : this.#translate(this.#detect(event.text));
      case "tool-call-start":
      case "tool-call-delta":
      case "tool-call-end":
      case "tool-call-error":
        return [...this.#becomeNative(), this.#nativeCall(event)];
      case "model-end":
        return this.#end(event);
      case "model-error":
        return [...this.#giveUpCalls(), event];
      case "reasoning-delta":
        this.#noteReasoning();
        if (!this.#readsNone) this.#shown.add(event, true);
        return [event];
      case "answer-restart":
        this.#restart();
        return [event];
      case "usage":
      case "prompt-progress":
      case "model-retry":
      case "tool-call-withdrawn":
        return [event];
    }
  }

  /** True if text is passed on as it is. */
  get #readsNone(): boolean {
    return this.#native || this.#reading === "none";
  }

  /** Begins again, because the server sends another answer in place of this one. */
  #restart(): void {
    this.#forget();
    this.#detector = undefined;
    this.#expected = undefined;
    this.#reasoned = false;
    this.#native = false;
    this.#nativeFrom = 0;
  }

  #detect(text: string): readonly DetectEvent[] {
    if (this.#detector === undefined) {
      const expects = !this.#reasoned && this.#thoughts?.expected() === true;
      if (expects) this.#expected = [];
      this.#detector = this.#createDetector(expects);
    }
    this.#expected?.push(text);
    return this.#detector.push(text);
  }

  #createDetector(startsInReasoning: boolean): Detector {
    return createDetector({
      tools: sharedTools(this.#tools),
      format: this.#formats,
      onlyAlone: this.#reading === "alone",
      maxCalls: this.#maxCalls,
      startsInReasoning,
      restarts: !this.#reasoned,
      ...defined({ model: this.#model }),
    });
  }

  /** Notes that the server separates thoughts from the text, so that no text begins inside a thought. */
  #noteReasoning(): void {
    if (this.#reasoned) return;
    this.#reasoned = true;
    if (this.#thoughts?.expected() === true) this.#thoughts.note(false);
  }

  /**
   * Reads the text again as an ordinary answer, if it was read as a thought whose end did not come. Returns the events that
   * replace the answer so far; none if there is nothing to read again. `isCut` is true if the answer may have been cut
   * off inside the thought; nothing is then noted about the prompt, and a call without its end is an error.
   */
  #readAgain(isCut: boolean): readonly ModelEvent[] {
    const text = this.#expected?.join("");
    this.#expected = undefined;
    if (text === undefined) return [];
    const detector = this.#createDetector(false);
    this.#forget();
    const events = [...detector.push(text), ...detector.end(isCut)];
    if (!isCut && !events.some(({ type }) => type === "restart")) this.#thoughts?.note(false);
    return [{ type: "answer-restart" }, ...this.#translate(events)];
  }

  /**
   * Reads a thought that the server has sent in a field as a thought between tags is read, if nothing follows it: whole calls at
   * its end are calls. Returns the events that replace the answer so far; none if the thought has no call and no end.
   */
  #readLastThought(isCut: boolean): readonly ModelEvent[] {
    if (this.#tools.length === 0 || this.#started.size > 0 || this.#held.length > 0) return [];
    const last = this.#shown.lastThought();
    if (last === undefined) return [];
    const detector = this.#createDetector(true);
    const events = [...detector.push(last.thought), ...detector.end(isCut)];
    if (events.every((event) => event.type === "reasoning-delta" || isBlank(event))) return [];
    this.#forget();
    return [{ type: "answer-restart" }, ...last.before, ...this.#translate(events)];
  }

  /** Forgets the calls so far. */
  #forget(): void {
    this.#shown.clear();
    this.#started.clear();
    this.#held = [];
    this.#open = undefined;
    this.#nextIndex = 0;
  }

  #translate(events: readonly DetectEvent[]): readonly ModelEvent[] {
    const out: ModelEvent[] = [];
    for (const event of events) {
      switch (event.type) {
        case "text-delta":
          // Text after a thought shows that the thought has ended.
          this.#expected = undefined;
          this.#shown.add(event, false);
          out.push(event);
          break;
        case "reasoning-delta":
          this.#shown.add(event, false);
          out.push(event);
          break;
        case "restart":
          this.#forget();
          this.#thoughts?.note(true);
          out.push({ type: "answer-restart" });
          break;
        case "tool-call-start": {
          const { index, id } = this.#begin(event.index);
          out.push({ type: "tool-call-start", index, id, name: event.name });
          break;
        }
        case "tool-call-delta":
          out.push({ ...event, index: this.#begin(event.index).index });
          break;
        case "tool-call-end":
          this.#held.push({ found: event, event: this.#callEnd(event) });
          break;
        case "tool-call-error":
          this.#held.push({ found: event, event: this.#callError(event) });
          break;
      }
    }
    return out;
  }

  #begin(detectIndex: number): { readonly index: number; readonly id: string } {
    const known = this.#started.get(detectIndex);
    if (known !== undefined) return known;
    const call = { index: this.#nextIndex++, id: this.#ids.take() };
    this.#started.set(detectIndex, call);
    this.#open = call.index;
    return call;
  }

  #callEnd(found: Extract<Found, { type: "tool-call-end" }>): Settled {
    const { index, id } = this.#begin(found.index);
    this.#open = undefined;
    const { name, arguments: args, format, repairs } = found;
    return {
      type: "tool-call-end",
      index,
      id,
      name,
      arguments: args,
      format,
      ...(repairs.length === 0 ? {} : { repairs }),
    };
  }

  #callError(found: Extract<Found, { type: "tool-call-error" }>): Settled {
    if (found.calls !== undefined) return beyondEvent(this.#nextIndex++, found.calls);
    const index = this.#open ?? this.#nextIndex++;
    this.#open = undefined;
    const { raw, reason, format, name } = found;
    const message = `${found.message} ${this.#advice(format, name)}`;
    return {
      type: "tool-call-error",
      index,
      raw,
      reason,
      message,
      format,
      ...defined({ name }),
    };
  }

  #advice(format: CallFormat, name: string | undefined): string {
    const tool = this.#tools.find((one) => one.name === name) ?? this.#tools[0];
    if (tool === undefined) return "";
    const schema = { name: tool.name, description: tool.description, parameters: { ...tool.parameters } };
    const names =
      tool.name === name ? "" : `The tools are: ${this.#tools.map((one) => one.name).join(", ")}. `;
    return `${names}A correct call looks like this:\n${exampleCall(format, schema)}`;
  }

  #becomeNative(): readonly ModelEvent[] {
    if (this.#native) return [];
    const out = this.#giveUpCalls();
    this.#native = true;
    this.#nativeFrom = this.#nextIndex;
    return out;
  }

  /** Turns all calls that were found in text back into text, so that nothing is lost and none of them runs. */
  #giveUpCalls(): ModelEvent[] {
    const out: ModelEvent[] = [];
    if (!this.#native) {
      const withdrawn = this.#withdrawn();
      const last = this.#translate(this.#detector?.end() ?? []);
      const events = this.#expected === undefined ? [...withdrawn, ...last] : this.#readAgain(true);
      out.push(...events.filter((event) => !isCallPart(event)));
    }
    for (const { found } of this.#held) out.push({ type: "text-delta", text: writtenOut(found) });
    this.#held = [];
    return out;
  }

  /** Returns the events that withdraw the calls that have begun. Their text follows as ordinary text. */
  #withdrawn(): ModelEvent[] {
    return [...this.#started.values()].map(({ index }) => ({ type: "tool-call-withdrawn", index }));
  }

  #nativeCall(event: Extract<ModelEvent, { index: number }>): ModelEvent {
    const index = event.index + this.#nativeFrom;
    this.#names ??= toolNames(this.#tools);
    if (event.type === "tool-call-start") {
      return { ...event, index, name: offeredName(event.name, this.#names) };
    }
    return event.type === "tool-call-end"
      ? { ...readNativeCall(event, this.#names), index }
      : { ...event, index };
  }

  #end(end: ModelEnd): readonly ModelEvent[] {
    if (this.#native) return [end];
    const { stopReason } = end;
    const isCut = stopReason === "length" || stopReason === "other";
    const out = [...this.#translate(this.#detector?.end(isCut) ?? [])];
    out.push(...(this.#expected === undefined ? this.#readLastThought(isCut) : this.#readAgain(isCut)));
    for (const { event } of this.#held) out.push(event);
    const calls = this.#held.some(({ event }) => event.type === "tool-call-end");
    out.push(calls && stopReason !== "length" ? { ...end, stopReason: "tool-calls" } : end);
    return out;
  }
}

function isBlank(event: DetectEvent): boolean {
  return event.type === "text-delta" && event.text.trim() === "";
}

function isCallPart(event: ModelEvent): boolean {
  return event.type === "tool-call-start" || event.type === "tool-call-delta";
}

function writtenOut(found: Found): string {
  if (found.type === "tool-call-error") return found.calls === undefined ? found.raw : `(${found.message})`;
  const call = { id: "", name: found.name, arguments: found.arguments };
  return toMessages(found.format, { text: "", calls: [call], results: [] })[0]?.content ?? "";
}
