/** Turns one streamed text part of the model into parts for text, thoughts and calls. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createDetector } from "../detector.ts";
import type { DetectEvent, Detector } from "../types.ts";
import type { Reading, Settled } from "./reading.ts";

type Part = LanguageModelV4StreamPart;
type Start = Extract<Part, { type: "text-start" }>;
type Delta = Extract<Part, { type: "text-delta" }>;
type End = Extract<Part, { type: "text-end" }>;
type Metadata = Pick<Delta, "providerMetadata">;

/** A call that is held back until the reply has ended well. */
export interface HeldCall {
  readonly settled: Settled;
  readonly id: string;
}

export class TextPart {
  readonly #start: Start;
  readonly #reading: Reading;
  readonly #hold: (call: HeldCall) => void;
  #detector: Detector | undefined;
  /** The text or reasoning part that is open in the output. */
  #open: { readonly channel: "text" | "reasoning"; readonly id: string } | undefined;
  /** White space that is dropped as layout if a call or a thought follows. */
  #space: { readonly channel: "text" | "reasoning"; readonly text: string } | undefined;
  #opened = 0;
  #mixed = false;
  /** The ids of calls whose input has begun, by the detector's index. */
  readonly #ids = new Map<number, string>();
  #input: string | undefined;

  constructor(start: Start, reading: Reading, hold: (call: HeldCall) => void) {
    this.#start = start;
    this.#reading = reading;
    this.#hold = hold;
    // A restart would have to take back parts that were passed on already.
    this.#detector = createDetector({ ...reading, restarts: false });
  }

  push(part: Delta): Part[] {
    if (part.delta === "") return [];
    const { providerMetadata } = part;
    const metadata = providerMetadata === undefined ? {} : { providerMetadata };
    if (this.#detector === undefined) return this.#said("text", part.delta, metadata);
    return this.#translate(this.#detector.push(part.delta), metadata);
  }

  /** Stops the search for calls: all later text stays text. */
  settle(isCut = false): Part[] {
    const events = this.#detector?.end(isCut) ?? [];
    this.#detector = undefined;
    return this.#translate(events, {});
  }

  /** Ends the part. `isCut` is true if the reply may have been cut off in this part. */
  end(isCut: boolean, part?: End): Part[] {
    const out = this.settle(isCut);
    if (!this.#mixed && this.#open === undefined) out.push(...this.#openPart("text"));
    if (!this.#mixed && this.#space !== undefined) out.push(...this.#flushSpace({}));
    if (this.#open?.channel === "text") out.push({ ...part, type: "text-end", id: this.#open.id });
    else out.push(...this.#close());
    this.#open = undefined;
    return out;
  }

  #translate(events: readonly DetectEvent[], metadata: Metadata): Part[] {
    return events.flatMap((event) => this.#partsFor(event, metadata));
  }

  #partsFor(event: DetectEvent, metadata: Metadata): Part[] {
    switch (event.type) {
      case "text-delta":
        return this.#said("text", event.text, metadata);
      case "reasoning-delta":
        return this.#said("reasoning", event.text, metadata);
      case "restart":
        return [];
      case "tool-call-start":
        return this.#begin(event.index, event.name);
      case "tool-call-delta":
        return this.#input === undefined
          ? []
          : [{ type: "tool-input-delta", id: this.#input, delta: event.argumentsText }];
      case "tool-call-end":
        return [...this.#begin(event.index, event.name), ...this.#settleCall(event, event.index)];
      case "tool-call-error":
        return this.#settleError(event);
    }
  }

  #said(channel: "text" | "reasoning", text: string, metadata: Metadata): Part[] {
    if (channel === "reasoning") this.#mixed = true;
    if (this.#open?.channel === channel) return [this.#delta(text, metadata)];
    const before = this.#space?.channel === channel ? this.#space.text : "";
    if (text.trim() === "") {
      this.#space = { channel, text: before + text };
      return [];
    }
    this.#space = undefined;
    return [...this.#close(), ...this.#openPart(channel), this.#delta(before + text, metadata)];
  }

  #flushSpace(metadata: Metadata): Part[] {
    const text = this.#space?.text ?? "";
    this.#space = undefined;
    return text === "" ? [] : [this.#delta(text, metadata)];
  }

  #delta(delta: string, metadata: Metadata): Part {
    const { channel, id } = this.#open ?? { channel: "text", id: this.#start.id };
    return channel === "text"
      ? { type: "text-delta", id, delta, ...metadata }
      : { type: "reasoning-delta", id, delta, ...metadata };
  }

  /** Opens a part. The first part keeps the model's id if it is a text part. All other parts get new ids. */
  #openPart(channel: "text" | "reasoning"): Part[] {
    const { id } = this.#start;
    const isFirst = this.#opened === 0 && channel === "text";
    this.#opened += 1;
    this.#open = { channel, id: isFirst ? id : `${id}-${this.#opened}` };
    return channel === "text"
      ? [{ ...this.#start, id: this.#open.id }]
      : [{ type: "reasoning-start", id: this.#open.id }];
  }

  #close(): Part[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return [];
    return [{ type: open.channel === "text" ? "text-end" : "reasoning-end", id: open.id }];
  }

  #begin(index: number, toolName: string): Part[] {
    if (this.#ids.has(index)) return [];
    this.#mixed = true;
    this.#space = undefined;
    const id = this.#reading.generateId();
    this.#ids.set(index, id);
    this.#input = id;
    return [...this.#close(), { type: "tool-input-start", id, toolName }];
  }

  #endInput(): Part[] {
    const id = this.#input;
    this.#input = undefined;
    return id === undefined ? [] : [{ type: "tool-input-end", id }];
  }

  #settleCall(settled: Settled, index: number): Part[] {
    this.#hold({ settled, id: this.#ids.get(index) ?? this.#reading.generateId() });
    return this.#endInput();
  }

  #settleError(settled: Extract<Settled, { type: "tool-call-error" }>): Part[] {
    if (this.#reading.unreadable === "text" || settled.name === undefined) {
      return [...this.#endInput(), ...this.#said("text", settled.raw, {})];
    }
    const id = this.#input;
    if (id !== undefined) {
      this.#hold({ settled, id });
      return this.#endInput();
    }
    const fresh = this.#reading.generateId();
    this.#mixed = true;
    this.#hold({ settled, id: fresh });
    const started = { type: "tool-input-start" as const, id: fresh, toolName: settled.name };
    return [...this.#close(), started, { type: "tool-input-end", id: fresh }];
  }
}
