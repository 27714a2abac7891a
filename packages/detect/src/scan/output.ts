/** Collects events. Events of a possible call are held aside until it is known to be a call. */
import type { DetectEvent, Repair } from "../types.ts";
import { CallCount, noCalls } from "./call-count.ts";
import { type CallRun, noRun, withEvent } from "./call-run.ts";

export class Output {
  readonly #calls: CallCount;
  #ready: DetectEvent[] = [];
  #aside: DetectEvent[] | undefined;
  /** The state that `drop` restores: `nextIndex`, `#tail`, `#recent`, `hasOutput`, the count of calls, `#run` and `endsInCall`. */
  #before: [number, string, string, boolean, ReturnType<CallCount["state"]>, CallRun, boolean] | undefined;
  #run: CallRun = noRun;
  /** True if only white space has been added after a call. */
  endsInCall = false;
  nextIndex = 0;
  channel: "text" | "reasoning" = "text";
  #tail = "";
  #recent = "";
  /** True once an event has been added that is more than white space. `shownText` does not count. */
  hasOutput = false;

  constructor(maxCalls = Number.POSITIVE_INFINITY) {
    this.#calls = new CallCount(maxCalls);
  }

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

  /** Returns the event for a text directly. May be called only while no other event waits to be returned. */
  only(text: string): DetectEvent[] {
    this.#note(text);
    this.#endRun(text);
    return [{ type: this.channel === "text" ? "text-delta" : "reasoning-delta", text }];
  }

  #endRun(text: string): void {
    if (!this.endsInCall || text.trim() === "") return;
    this.#run = noRun;
    this.endsInCall = false;
  }

  /** Adds text that `recentText` leaves out, such as the markup of an example. */
  shownText(text: string): void {
    if (text === "") return;
    this.#endRun(text);
    const type = this.channel === "text" ? "text-delta" : "reasoning-delta";
    const events = this.#aside ?? this.#ready;
    const last = events.at(-1);
    // Texts that are returned together become one event.
    if (last?.type === type) last.text += text;
    else events.push({ type, text });
  }

  add(event: DetectEvent): void {
    this.hasOutput = true;
    if (!this.#calls.keeps(event)) return;
    this.#run = withEvent(this.#run, event);
    this.endsInCall = true;
    const events = this.#aside;
    const last = events?.at(-1);
    // Events held aside are returned together, so their pieces can be joined.
    if (last?.type === "tool-call-delta" && event.type === "tool-call-delta" && last.index === event.index) {
      last.argumentsText += event.argumentsText;
    } else {
      (events ?? this.#ready).push(event);
    }
  }

  /** Returns the text since the last `forgetText`, at most its last 600 characters. An opener is judged by it. */
  recentText(): string {
    this.#recent = (this.#tail + this.#recent).slice(-600);
    this.#tail = "";
    return this.#recent;
  }

  /** Clears the recent text, because text before a call does not count after it. */
  forgetText(): void {
    this.#tail = "";
    this.#recent = "";
  }

  /** Holds aside all events from here on, until `commit` or `drop`. Events that are already held aside would be lost. */
  begin(): void {
    this.#aside = [];
    this.#before = [
      this.nextIndex,
      this.#tail,
      this.#recent,
      this.hasOutput,
      this.#calls.state(),
      this.#run,
      this.endsInCall,
    ];
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
    if (this.#before === undefined) return;
    const [nextIndex, tail, recent, hasOutput, calls, run, endsInCall] = this.#before;
    this.nextIndex = nextIndex;
    this.#tail = tail;
    this.#recent = recent;
    this.hasOutput = hasOutput;
    this.#calls.restore(calls);
    this.#run = run;
    this.endsInCall = endsInCall;
  }

  /** Tells where the calls that have just been added begin in the reply, and what opened them. The first offset counts. */
  noteCalls(from: number, openers: readonly { readonly kind: string }[]): void {
    if (this.#run.last === undefined || this.#run.from !== undefined) return;
    // A call that looks like ordinary text does not count in a thought.
    this.#run = openers.every(({ kind }) => kind === "plain") ? noRun : { ...this.#run, from };
  }

  /** Returns the calls after which only white space has been added. */
  lastCalls(): CallRun {
    return this.#run;
  }

  /** Returns true if the events held aside contain a whole call, or one was skipped as beyond the limit. */
  holdsCall(): boolean {
    if (this.#aside === undefined) return false;
    return this.#skipped().ends > 0 || this.#aside.some((event) => event.type === "tool-call-end");
  }

  /** Returns true if the events held aside contain a call or the error of one, or one was skipped as beyond the limit. */
  holdsResult(): boolean {
    if (this.#aside === undefined) return false;
    if (this.#skipped().beyond > 0) return true;
    return this.#aside.some(({ type }) => type === "tool-call-end" || type === "tool-call-error");
  }

  /** Returns how many calls and errors were skipped since `begin`, and how many of them were whole calls. */
  #skipped(): { readonly beyond: number; readonly ends: number } {
    const now = this.#calls.state();
    const before = this.#before?.[4];
    return { beyond: now.beyond - (before?.beyond ?? 0), ends: now.ends - (before?.ends ?? 0) };
  }

  /** Returns an event with the number of the calls that were not kept; no event if there were none. */
  beyond(): DetectEvent[] {
    return this.#calls.events();
  }

  /** Adds a repair to the last call among the events held aside. */
  repairLast(repair: Repair): void {
    const events = this.#aside;
    const at = events?.findLastIndex((event) => event.type === "tool-call-end") ?? -1;
    const event = events?.[at];
    if (!events || event?.type !== "tool-call-end" || event.repairs.includes(repair)) return;
    events[at] = { ...event, repairs: [...event.repairs, repair] };
  }

  /**
   * Reports that everything before was a thought with this text. The next call has the index 0 again. With `calls`, the thought
   * has ended with these calls, and they are reported again.
   */
  restart(thought: string, calls: readonly DetectEvent[] = []): void {
    (this.#aside ?? this.#ready).push({ type: "restart" });
    this.nextIndex = 0;
    this.#calls.restore(noCalls);
    this.channel = "reasoning";
    this.shownText(thought);
    const first = calls.find((event) => "index" in event)?.index ?? 0;
    for (const event of calls) {
      if (event.type === "tool-call-start") this.nextIndex += 1;
      this.add("index" in event ? { ...event, index: event.index - first } : { ...event });
    }
  }

  /** Returns the events that are ready, and forgets them. */
  flush(): DetectEvent[] {
    const events = this.#ready;
    if (events.length === 0) return [];
    this.#ready = [];
    return events;
  }
}
