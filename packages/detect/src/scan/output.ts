/** Collects events; what may yet turn out to be no call is held aside until it is settled. */
import type { DetectEvent, Repair } from "../types.ts";

export class Output {
  #ready: DetectEvent[] = [];
  #aside: DetectEvent[] | undefined;
  /** What `drop` goes back to: the next index, the two pieces of recent text, whether there was output. */
  #before: [number, string, string, boolean] = [0, "", "", false];
  /** The index of the next call. */
  nextIndex = 0;
  /** What text is reported as. */
  channel: "text" | "reasoning" = "text";
  #tail = "";
  #recent = "";
  /** True once anything but white space has been reported. */
  hasOutput = false;

  text(text: string): void {
    if (text === "") return;
    this.#note(text);
    this.shownText(text);
  }

  #note(text: string): void {
    if (!this.hasOutput && text.trim() !== "") this.hasOutput = true;
    if (this.#recent.length > 600) {
      this.#tail = this.#recent;
      this.#recent = "";
    }
    this.#recent += text;
  }

  /** Hands out text at once; nothing else may be ready. */
  only(text: string): DetectEvent[] {
    this.#note(text);
    return [{ type: this.channel === "text" ? "text-delta" : "reasoning-delta", text }];
  }

  /** Text that does not count as standing before what follows, such as the markup of an example. */
  shownText(text: string): void {
    if (text === "") return;
    const type = this.channel === "text" ? "text-delta" : "reasoning-delta";
    const events = this.#aside ?? this.#ready;
    const last = events.at(-1);
    // What is handed out at once is one event.
    if (last?.type === type) last.text += text;
    else events.push({ type, text });
  }

  add(event: DetectEvent): void {
    this.hasOutput = true;
    const events = this.#aside;
    const last = events?.at(-1);
    // What waits is handed out at once: there is no need to keep its pieces.
    if (last?.type === "tool-call-delta" && event.type === "tool-call-delta" && last.index === event.index) {
      last.argumentsText += event.argumentsText;
    } else {
      (events ?? this.#ready).push(event);
    }
  }

  /** Returns the last few hundred characters of text, for judging where an opener stands. */
  recentText(): string {
    this.#recent = (this.#tail + this.#recent).slice(-600);
    this.#tail = "";
    return this.#recent;
  }

  /** After a call, what stands before it no longer counts. */
  forgetText(): void {
    this.#tail = "";
    this.#recent = "";
  }

  /** Everything added from here on waits for `commit` or `drop`. */
  begin(): void {
    this.#aside = [];
    this.#before = [this.nextIndex, this.#tail, this.#recent, this.hasOutput];
  }

  get isAside(): boolean {
    return this.#aside !== undefined;
  }

  commit(): void {
    if (this.#aside) for (const event of this.#aside) this.#ready.push(event);
    this.#aside = undefined;
  }

  drop(): void {
    this.#aside = undefined;
    [this.nextIndex, this.#tail, this.#recent, this.hasOutput] = this.#before;
  }

  /** Tells whether a whole call is held aside. */
  holdsCall(): boolean {
    return this.#aside?.some((event) => event.type === "tool-call-end") ?? false;
  }

  /** Tells whether a call, or one that cannot be read, is held aside. */
  holdsResult(): boolean {
    return this.#aside?.some(({ type }) => type === "tool-call-end" || type === "tool-call-error") ?? false;
  }

  /** Notes a repair on the last call that is held aside. */
  repairLast(repair: Repair): void {
    const events = this.#aside;
    const at = events?.findLastIndex((event) => event.type === "tool-call-end") ?? -1;
    const event = events?.[at];
    if (!events || event?.type !== "tool-call-end" || event.repairs.includes(repair)) return;
    events[at] = { ...event, repairs: [...event.repairs, repair] };
  }

  /** Returns what is ready to be handed out, once. */
  flush(): DetectEvent[] {
    const events = this.#ready;
    if (events.length === 0) return [];
    this.#ready = [];
    return events;
  }
}
