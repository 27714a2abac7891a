/** Decides which calls of a reply are kept: the first ones. The others are only counted. */
import type { CallFormat, DetectEvent } from "../types.ts";

interface Count {
  readonly kept: number;
  readonly beyond: number;
  /** The number of complete calls among the calls beyond the limit. */
  readonly ends: number;
  /** True if the call that has begun is kept; undefined if none has begun. */
  readonly open: boolean | undefined;
  readonly format: CallFormat;
}

export const noCalls: Count = { kept: 0, beyond: 0, ends: 0, open: undefined, format: "json" };

export class CallCount {
  readonly #max: number;
  #count: Count = noCalls;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts the call of the event. Returns false if the call is beyond the limit. */
  keeps(event: DetectEvent): boolean {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
      case "restart":
        return true;
      case "tool-call-start":
        return this.#begin(event.format);
      case "tool-call-delta":
        return this.#count.open ?? true;
      case "tool-call-end":
      case "tool-call-error": {
        const kept = this.#count.open ?? this.#begin(event.format);
        const ends = this.#count.ends + (!kept && event.type === "tool-call-end" ? 1 : 0);
        this.#count = { ...this.#count, ends, open: undefined };
        return kept;
      }
    }
  }

  state(): Count {
    return this.#count;
  }

  restore(count: Count): void {
    this.#count = count;
  }

  events(): DetectEvent[] {
    const { beyond: calls, format } = this.#count;
    if (calls === 0) return [];
    const message = `The reply had ${calls} more ${calls === 1 ? "call" : "calls"} than are taken.`;
    return [{ type: "tool-call-error", raw: "", reason: "too-many", message, format, calls }];
  }

  #begin(format: CallFormat): boolean {
    const { kept, beyond } = this.#count;
    const open = kept < this.#max;
    this.#count = open
      ? { ...this.#count, kept: kept + 1, open }
      : { ...this.#count, beyond: beyond + 1, open, format };
    return open;
  }
}
