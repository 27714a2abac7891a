/** Cuts off an answer that becomes longer than the harness reads. */
import type { ModelEvent } from "@localharness/protocol";

export interface AnswerBound {
  /** True once the answer is longer than `max`. */
  readonly isMet: boolean;
  /**
   * Returns the events without the text beyond the bound. `unkept` is the number of characters of the answer so far
   * that are in no event.
   */
  take(events: readonly ModelEvent[], unkept: number): readonly ModelEvent[];
  /** Returns the last events of an answer. If the answer was cut off, its end says why. */
  close(events: readonly ModelEvent[]): readonly ModelEvent[];
}

export function createAnswerBound(max: number): AnswerBound {
  let chars = 0;
  let unkeptBefore = 0;

  const fit = (event: ModelEvent): readonly ModelEvent[] => {
    const length = textOf(event).length;
    const left = max - chars;
    chars += length;
    if (length === 0 || length <= left) return [event];
    const text = wholeCharacters(textOf(event), Math.max(0, left));
    return text === "" ? [] : [withText(event, text)];
  };

  return {
    get isMet() {
      return chars > max;
    },
    take(events, unkept) {
      chars += unkept - unkeptBefore;
      unkeptBefore = unkept;
      const length = events.reduce((sum, event) => sum + textOf(event).length, 0);
      if (chars + length > max) return events.flatMap(fit);
      chars += length;
      return events;
    },
    close: (events) => (chars > max ? events.map((event) => cutEnd(event, max)) : events),
  };
}

function cutEnd(event: ModelEvent, max: number): ModelEvent {
  if (event.type !== "model-end") return event;
  const advice = `limits.answer_characters is ${max}: raise it to read longer answers.`;
  return { ...event, stopReason: "length", cut: { at: "reading", advice } };
}

function textOf(event: ModelEvent): string {
  if (event.type === "text-delta" || event.type === "reasoning-delta") return event.text;
  return event.type === "tool-call-delta" ? event.argumentsText : "";
}

function withText(event: ModelEvent, text: string): ModelEvent {
  if (event.type === "tool-call-delta") return { ...event, argumentsText: text };
  return event.type === "text-delta" || event.type === "reasoning-delta" ? { ...event, text } : event;
}

/** Returns the beginning of a text, at most `length` UTF-16 units long. It does not end in half a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
