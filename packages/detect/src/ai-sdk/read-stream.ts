/** Reads the calls in the text of a reply while it streams. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { writeCalls } from "../messages.ts";
import { callPart, finishReason, isWhole, mayBeCut, type Reading } from "./reading.ts";
import { type HeldCall, TextPart } from "./text-part.ts";

type Part = LanguageModelV4StreamPart;

/**
 * Returns a transform of stream parts. A call in text becomes a call part if the reply ends well and has no native calls.
 * Otherwise it stays text.
 */
export function readStream(reading: Reading): TransformStream<Part, Part> {
  const reply = new ReplyReader(reading);
  return new TransformStream({
    transform(part, controller) {
      for (const one of reply.push(part)) controller.enqueue(one);
    },
    flush(controller) {
      for (const one of reply.end()) controller.enqueue(one);
    },
  });
}

/** Parts that say nothing. The reply may have been cut in the text before them. */
const silent: ReadonlySet<string> = new Set(["raw", "response-metadata", "source", "text-start", "text-end"]);

class ReplyReader {
  readonly #reading: Reading;
  readonly #texts = new Map<string, TextPart>();
  #held: HeldCall[] = [];
  /** Ends the last text, which waits for the next part that says something: a reply that is cut off finishes before it. */
  #endLast: ((isCut: boolean) => Part[]) | undefined;
  #native = false;
  #broken = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  push(part: Part): Part[] {
    const isBlank = part.type === "text-delta" && part.delta.trim() === "";
    if (isBlank || silent.has(part.type)) return this.#read(part);
    const last = this.#endLast?.(part.type === "finish" && mayBeCut(part.finishReason)) ?? [];
    this.#endLast = undefined;
    return [...last, ...this.#read(part)];
  }

  #read(part: Part): Part[] {
    switch (part.type) {
      case "text-start": {
        if (this.#native) return [part];
        this.#texts.set(part.id, new TextPart(part, this.#reading, (call) => this.#held.push(call)));
        return [];
      }
      case "text-delta":
        return this.#texts.get(part.id)?.push(part) ?? [part];
      case "text-end": {
        const text = this.#texts.get(part.id);
        if (text === undefined) return [part];
        this.#texts.delete(part.id);
        const before = this.#endLast;
        this.#endLast = (isCut) => [...(before?.(isCut) ?? []), ...text.end(isCut, part)];
        return [];
      }
      case "tool-input-start":
      case "tool-call":
        return [...this.#becomeNative(), part];
      case "error":
        this.#broken = true;
        return [part];
      case "finish":
        return this.#finish(part);
      default:
        return [part];
    }
  }

  /** Ends the stream. If no finish part came, the held calls become text. */
  end(): Part[] {
    return [...(this.#endLast?.(false) ?? []), ...this.#endTexts(false), ...this.#giveUp()];
  }

  #becomeNative(): Part[] {
    if (this.#native) return [];
    this.#native = true;
    const out = [...this.#texts.values()].flatMap((text) => text.settle());
    return [...out, ...this.#giveUp()];
  }

  #finish(part: Extract<Part, { type: "finish" }>): Part[] {
    const out = this.#endTexts(mayBeCut(part.finishReason));
    if (this.#broken || !isWhole(part.finishReason)) return [...out, ...this.#giveUp(), part];
    const calls = this.#held.flatMap(({ settled, id }) => callPart(settled, id, this.#reading) ?? []);
    this.#held = [];
    if (calls.length === 0) return [...out, part];
    return [...out, ...calls, { ...part, finishReason: finishReason(part.finishReason) }];
  }

  #endTexts(isCut: boolean): Part[] {
    const out = [...this.#texts.values()].flatMap((text) => text.end(isCut));
    this.#texts.clear();
    return out;
  }

  /** Turns the held calls into text again, so that none of them runs and no text is lost. */
  #giveUp(): Part[] {
    const held = this.#held;
    this.#held = [];
    return held.flatMap(({ settled, id }) => {
      const delta = settled.type === "tool-call-error" ? settled.raw : writeCalls(settled.format, [settled]);
      const text = `${id}-text`;
      return [
        { type: "text-start", id: text },
        { type: "text-delta", id: text, delta },
        { type: "text-end", id: text },
      ];
    });
  }
}
