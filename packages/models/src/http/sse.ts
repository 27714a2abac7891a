/**
 * Decodes server-sent events incrementally:
 *
 *     : a comment
 *     event: error
 *     data: {"first": "line",
 *     data: "second": "line"}
 *     (an empty line ends the event)
 *
 * Lines end in LF, CRLF or CR. The last event is used even without its empty line, because some servers leave it out.
 */

export interface SseEvent {
  /** `message` if the stream gives no name. */
  readonly event: string;
  readonly data: string;
}

const defaultMaxChars = 16 * 1024 * 1024;

export class SseDecoder {
  readonly #maxChars: number;
  /** The pieces of the unfinished line. */
  #held: string[] = [];
  #heldChars = 0;
  #data: string[] = [];
  #dataChars = 0;
  #event = "";
  #afterCr = false;
  #started = false;
  #overflow = false;

  constructor(maxChars = defaultMaxChars) {
    this.#maxChars = maxChars;
  }

  /** Returns true once a line or an event was longer than allowed. The decoder then ignores all further text. */
  get overflow(): boolean {
    return this.#overflow;
  }

  /** Returns the events that this text completes. */
  push(chunk: string): SseEvent[] {
    const out: SseEvent[] = [];
    if (this.#overflow) return out;
    const text = this.#withoutStart(chunk);
    const next = lineEnds(text);
    let from = 0;
    for (let end = next(0); end !== -1; end = next(from)) {
      this.#line(this.#complete(text.slice(from, end)), out);
      from = end + 1;
      if (text.charCodeAt(end) === 13) {
        if (from === text.length) this.#afterCr = true;
        else if (text.charCodeAt(from) === 10) from += 1;
      }
    }
    if (from < text.length) this.#hold(from === 0 ? text : text.slice(from));
    return out;
  }

  end(): SseEvent[] {
    const out: SseEvent[] = [];
    if (this.#overflow) return out;
    const rest = this.#complete("");
    if (rest !== "") this.#line(rest, out);
    this.#dispatch(out);
    return out;
  }

  /** Removes a byte order mark, or the LF of a CRLF whose CR ended the previous chunk. */
  #withoutStart(text: string): string {
    if (text === "") return text;
    const mark = !this.#started && text.charCodeAt(0) === 0xfeff;
    const half = this.#afterCr && text.charCodeAt(0) === 10;
    this.#started = true;
    this.#afterCr = false;
    return mark || half ? text.slice(1) : text;
  }

  #hold(text: string): void {
    this.#held.push(text);
    this.#heldChars += text.length;
    if (this.#heldChars <= this.#maxChars) return;
    this.#overflow = true;
    this.#held = [];
  }

  #complete(rest: string): string {
    if (this.#held.length === 0) return rest;
    const whole = this.#held.join("") + rest;
    this.#held = [];
    this.#heldChars = 0;
    return whole;
  }

  #line(text: string, out: SseEvent[]): void {
    if (text === "") {
      this.#dispatch(out);
      return;
    }
    const colon = text.indexOf(":");
    const field = colon === -1 ? text : text.slice(0, colon);
    if (field !== "data" && field !== "event") return;
    const value = colon === -1 ? "" : text.slice(text.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
    if (field === "event") {
      this.#event = value;
      return;
    }
    this.#data.push(value);
    this.#dataChars += value.length;
    this.#overflow ||= this.#dataChars > this.#maxChars;
  }

  #dispatch(out: SseEvent[]): void {
    const data = this.#data.length === 1 ? (this.#data[0] ?? "") : this.#data.join("\n");
    // An event without data is ignored. Some servers send it to keep the connection alive.
    if (data !== "") out.push({ event: this.#event === "" ? "message" : this.#event, data });
    this.#data = [];
    this.#dataChars = 0;
    this.#event = "";
  }
}

/** Returns a function that finds the next line end from an offset. No part of the text is searched twice. */
function lineEnds(text: string): (from: number) => number {
  let lf = text.indexOf("\n");
  let cr = text.indexOf("\r");
  return (from) => {
    if (lf !== -1 && lf < from) lf = text.indexOf("\n", from);
    if (cr !== -1 && cr < from) cr = text.indexOf("\r", from);
    if (lf === -1) return cr;
    return cr === -1 || lf < cr ? lf : cr;
  };
}
