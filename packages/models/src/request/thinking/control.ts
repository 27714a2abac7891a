/** Tells a server how the person wants its model to think, and notices where that has no effect. */
import type { JsonObject, ModelMessage } from "@localharness/protocol";
import type { ModelFailure } from "../../answer/failure.ts";
import type { Thinking } from "../../wire/ollama/request.ts";
import { isTemplateRefusal } from "../profile/habits.ts";
import { quotedRefusal } from "../profile/history-ladder.ts";
import { type Effort, isGptOss, type StopWords, stopWordsOf, type ThinkingPlace, wayFor } from "./ways.ts";

export interface ThinkingControl {
  /** Returns the fields of the request. */
  fields(): JsonObject;
  /** Returns the messages, with words that stop thoughts where no field does. */
  messages(messages: readonly ModelMessage[]): readonly ModelMessage[];
  /** Returns what the setting cannot do on this server, once. Asked when the facts about the model are known. */
  told(): string | undefined;
  /** Changes the fields after a refusal. Returns the change; undefined if the refusal has another cause. */
  adapt(failure: ModelFailure): string | undefined;
  /** Notes that the server has taken the request. */
  taken(): void;
  /** Notes that an answer had a thought. Returns what that says about the setting, once. */
  thought(): string | undefined;
}

export interface ThinkingParts {
  readonly think: Thinking | undefined;
  place(): ThinkingPlace;
  /** Returns the model's chat template if it is known. */
  template(): string | undefined;
}

const noEffect = "the setting thinking has no effect";

export function createThinking({ think, place, template }: ThinkingParts): ThinkingControl {
  return think === undefined ? unset : new ThinkingSetting(think, place, template);
}

class ThinkingSetting implements ThinkingControl {
  readonly #think: Thinking;
  readonly #place: ThinkingParts["place"];
  readonly #template: ThinkingParts["template"];
  /** The value that the fields have; a server may know fewer than the setting. */
  #asked: Effort;
  #state: "unproven" | "proven" | "left-out" | "tried-without" = "unproven";
  #words: StopWords | undefined;
  #hasTold = false;
  #hasNoticed = false;

  constructor(think: Thinking, place: ThinkingParts["place"], template: ThinkingParts["template"]) {
    this.#think = think;
    this.#asked = think;
    this.#place = place;
    this.#template = template;
  }

  fields(): JsonObject {
    if (this.#state === "left-out" || this.#state === "tried-without") return {};
    return wayFor(this.#place())?.fields(this.#asked) ?? {};
  }

  messages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
    return this.#words === undefined ? messages : withWords(messages, this.#words);
  }

  told(): string | undefined {
    if (this.#hasTold) return undefined;
    this.#hasTold = true;
    const place = this.#place();
    const way = wayFor(place);
    if (way === undefined) return `has no field for thinking: ${this.#leaveOut()}`;
    if (this.#lacksSwitch(place)) {
      return `runs a chat template without a switch for thinking: ${this.#leaveOut()}`;
    }
    if (this.#think === false && isGptOss(place.model)) {
      this.#asked = "low";
      return `cannot turn off the thoughts of ${place.model}: asking for the level low`;
    }
    if (typeof this.#think !== "string" || way.hasNoLevels !== true) return undefined;
    return `knows no levels of thinking: asking for thoughts without the level ${this.#think}`;
  }

  adapt(failure: ModelFailure): string | undefined {
    const way = wayFor(this.#place());
    if (way === undefined || failure.code !== "bad-request" || this.#state === "left-out") return undefined;
    if (this.#state === "tried-without") {
      // The fields were not the cause.
      this.#state = "proven";
      return undefined;
    }
    const said = failure.said ?? "";
    if (namesField(said, this.#state === "unproven")) {
      const level = this.#think === false ? lowestListed(said) : undefined;
      if (level !== undefined && level !== this.#asked) {
        this.#asked = level;
        return `does not take this value of ${way.title}: asking for ${level}`;
      }
      return `does not take ${way.title}: ${this.#leaveOut()}`;
    }
    if (this.#state !== "unproven") return undefined;
    this.#state = "tried-without";
    return `refused the request: "${quotedRefusal(said)}". Sent again: without ${way.title}, which the setting thinking asks for`;
  }

  taken(): void {
    if (this.#state === "unproven") this.#state = "proven";
    if (this.#state === "tried-without") this.#leaveOut();
  }

  thought(): string | undefined {
    const { model } = this.#place();
    if (this.#think !== false || this.#hasNoticed || isGptOss(model)) return undefined;
    this.#hasNoticed = true;
    const ignored = "let the model think although thinking is off";
    if (this.#words !== undefined || !this.#useWords()) return `${ignored}: ${noEffect} there`;
    return `${ignored}. From the next request on ${wordsNotice(this.#words)}`;
  }

  /** Sends no fields from now on. Returns what that means for the person. */
  #leaveOut(): string {
    this.#state = "left-out";
    return this.#useWords() ? wordsNotice(this.#words) : noEffect;
  }

  /** Uses words in the prompt from now on. Returns false if thoughts are wanted, or if the model knows no such words. */
  #useWords(): boolean {
    this.#words = this.#think === false ? stopWordsOf(this.#place().model) : undefined;
    return this.#words !== undefined;
  }

  /** Returns true if the model's template is known and reads no switch for thoughts. */
  #lacksSwitch({ isLlamaServer }: ThinkingPlace): boolean {
    const text = isLlamaServer ? this.#template() : undefined;
    return text !== undefined && !/enable_thinking|\bthinking\b|reasoning_effort/.test(text);
  }
}

function wordsNotice(words: StopWords | undefined): string {
  return `the prompt says ${words?.words ?? ""}`;
}

const unset: ThinkingControl = {
  fields: () => ({}),
  messages: (messages) => messages,
  told: () => undefined,
  adapt: () => undefined,
  taken: () => undefined,
  thought: () => undefined,
};

/**
 * Returns true if the refusal names a field or a switch for thoughts. `orThoughts` is true to take any word about thoughts for that,
 * unless it is about the history.
 */
function namesField(said: string, orThoughts: boolean): boolean {
  if (/enable_thinking|reasoning.?effort|chat_template_kwargs/i.test(said)) return true;
  return orThoughts && /\bthinking\b|\breasoning\b/i.test(said) && !isTemplateRefusal(said);
}

const levels = ["minimal", "low", "medium", "high"] as const;

/** Returns the lowest of the levels that the refusal lists in quotes; undefined if it lists none. */
function lowestListed(said: string): Effort | undefined {
  const listed = /(?:support(?:s|ed)|one of|expected|valid|allowed)[\s\S]*$/i.exec(said)?.[0] ?? "";
  return levels.find((level) => new RegExp(`['"\`]${level}['"\`]`).test(listed));
}

/** Adds the words at the end of the system prompt, or of each message of the user. The same messages always give the same text. */
function withWords(messages: readonly ModelMessage[], { words, at }: StopWords): readonly ModelMessage[] {
  const added = messages.map((message) =>
    message.role === at ? { ...message, content: `${message.content}\n\n${words}` } : message,
  );
  return at === "user" || messages[0]?.role === "system"
    ? added
    : [{ role: "system", content: words }, ...added];
}
