/**
 * Holds the known properties of one model on one server: what its template demands, its context window and its
 * abilities. They come from the server's own report, its refusals and its answers. What is learnt from refusals and answers,
 * and the windows that fit, are kept on disk for the next run.
 */
import type { ModelRequest } from "@localharness/engine";
import type { ModelFailure } from "../failure.ts";
import { fitOf, fitWords, type WindowFit } from "../ollama/window-choice.ts";
import {
  type Habit,
  habitOfRefusal,
  habitRows,
  habitsOfTemplate,
  isTemplateRefusal,
  plainHabits,
} from "./habits.ts";

/** A server's report about the model that it runs. */
export interface ModelFacts {
  readonly template?: string;
  /** llama.cpp's `chat_template_caps`. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** The number of tokens that one conversation can hold. */
  readonly contextWindow?: number;
  /** The number of conversations that the server holds at once. */
  readonly slots?: number;
  readonly takesTools?: boolean;
  readonly canSee?: boolean;
}

export interface ModelProfile {
  readonly habits: ReadonlySet<Habit>;
  readonly facts: ModelFacts;
  /** Returns the words to keep for the next run: the habits learnt from refusals and answers, and the fit of the window. */
  learnt(): readonly string[];
  /** What is known about the context windows that fit into video memory. */
  readonly fit: WindowFit;
  noteFit(fit: WindowFit): void;
  /** Replaces the facts that the server reported before. */
  tell(facts: ModelFacts): void;
  /**
   * Notes whether an answer began inside a thought that the prompt had opened. `starts` is false if the server
   * separates thoughts from the text, or if the end of the thought never came.
   */
  noteThought(starts: boolean): void;
  /**
   * Adds habits that may overcome the refusal, and returns a notice about them. Returns undefined if the failure does not
   * come from the chat template, or if nothing is left to try.
   */
  learn(failure: ModelFailure): string | undefined;
}

/** The maximum length of a quoted refusal, in characters. */
const maxQuotedChars = 160;

/**
 * Creates a profile. `given` has the habits of all models on this server. `earlier` has the words that `learnt` returned in
 * earlier runs; unknown words are ignored.
 */
export function createProfile(given: readonly Habit[] = [], earlier: readonly string[] = []): ModelProfile {
  const learnt = new Set<Habit>(known(earlier));
  let fit = fitOf(earlier);
  let facts: ModelFacts = {};
  let told: readonly Habit[] = [];
  let all: ReadonlySet<Habit> = new Set([...given, ...learnt]);

  let startsInThought: boolean | undefined;
  const unite = () => {
    const united = new Set([...given, ...told, ...learnt]);
    if (startsInThought === false) united.delete("starts-in-thought");
    all = united;
  };
  const add = (habits: readonly Habit[]) => {
    for (const habit of habits) learnt.add(habit);
    unite();
  };

  return {
    get habits() {
      return all;
    },
    get facts() {
      return facts;
    },
    learnt: () => [...learnt, ...fitWords(fit)],
    get fit() {
      return fit;
    },
    noteFit(seen) {
      fit = seen;
    },
    tell(said) {
      facts = said;
      told = habitsOfFacts(said);
      // The server's own report about tools takes precedence over what an earlier run has learnt.
      if (said.template !== undefined || said.takesTools !== undefined) learnt.delete("no-tools");
      unite();
    },
    noteThought(starts) {
      if (startsInThought === starts) return;
      startsInThought = starts;
      if (starts) learnt.add("starts-in-thought");
      else learnt.delete("starts-in-thought");
      unite();
    },
    learn(failure) {
      const words = failure.said ?? "";
      const row = habitOfRefusal(words);
      if (row !== undefined && !all.has(row.id)) {
        add([row.id]);
        return refused(words, row.remedy);
      }
      if (!isTemplateRefusal(words)) return undefined;
      if (plainHabits.some((habit) => !all.has(habit))) {
        add(plainHabits);
        return refused(words, "the conversation is written in the plainest form");
      }
      if (all.has("no-tools")) return undefined;
      add(["no-tools", "results-as-user"]);
      return refused(words, "tools are described in the prompt");
    },
  };
}

/**
 * Returns a `tools-unsupported` failure for a request with tools to a model that is known not to support them. The failure
 * makes `withTextToolCalls` describe the tools in the prompt. Returns undefined for any other request.
 */
export function declinesTools(
  profile: ModelProfile,
  request: ModelRequest,
  model: string,
): ModelFailure | undefined {
  if (request.tools.length === 0 || !profile.habits.has("no-tools")) return undefined;
  const message = `The chat template of ${model} does not support tools.`;
  return { code: "tools-unsupported", message, retryable: false };
}

function habitsOfFacts({ template, capabilities, takesTools, canSee }: ModelFacts): readonly Habit[] {
  const fromTemplate = habitsOfTemplate(template ?? "", capabilities);
  return [
    ...fromTemplate,
    ...(takesTools === false ? (["no-tools", "results-as-user"] as const) : []),
    ...(canSee === false ? (["no-images"] as const) : []),
  ];
}

function known(names: readonly string[]): readonly Habit[] {
  const ids: readonly Habit[] = [...habitRows.map(({ id }) => id), "no-tools", "starts-in-thought"];
  return ids.filter((id) => names.includes(id));
}

function refused(words: string, remedy: string): string {
  const first = words.split("\n", 1)[0] ?? "";
  const quoted = first.length > maxQuotedChars ? `${first.slice(0, maxQuotedChars)}…` : first;
  return `refused the conversation: "${quoted}". Sent again: ${remedy}`;
}
