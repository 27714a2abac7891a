/**
 * Holds the known properties of one model on one server: what its template demands, its context window and its
 * abilities. They come from the server's own report, its refusals and its answers. What is learnt from refusals and answers,
 * and the windows that fit, are kept on disk for the next run.
 */
import type { ModelRequest } from "@localharness/engine";
import type { ModelFailure } from "../../answer/failure.ts";
import { noToolsText, unreadCallsText } from "../../choice/native-calls-text.ts";
import { fitOf, fitWords, type WindowFit } from "../../wire/ollama/window-choice.ts";
import { type Habit, habitRows, habitsOfTemplate } from "./habits.ts";

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
  /** Learns habits that made the server take a request, and forgets habits that it spoke against. */
  add(habits: readonly Habit[], ended: readonly Habit[]): void;
  /** Notes that the server could not read an answer. After two failures of this kind, tools are described in the prompt. */
  noteUnread(kind: string): void;
}

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
  const unreadKinds = new Set<string>();
  const unite = () => {
    const united = new Set([...given, ...told, ...learnt]);
    if (startsInThought === false) united.delete("starts-in-thought");
    all = united;
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
    add(habits, ended) {
      for (const habit of ended) learnt.delete(habit);
      for (const habit of habits) learnt.add(habit);
      unite();
    },
    noteUnread(kind) {
      if (unreadKinds.has(kind)) {
        learnt.add("unread-calls");
        unite();
      }
      unreadKinds.add(kind);
    },
  };
}

/**
 * Returns a `tools-unsupported` failure for a request with tools to a model that is known not to support them. The failure
 * makes `withTextToolCalls` describe the tools in the prompt. Returns undefined for any other request.
 */
export function declinesTools(
  habits: ReadonlySet<Habit>,
  request: ModelRequest,
  model: string,
): ModelFailure | undefined {
  if (request.tools.length === 0) return undefined;
  if (habits.has("unread-calls")) {
    return { code: "tools-unsupported", message: unreadCallsText(model), retryable: false };
  }
  if (!habits.has("no-tools")) return undefined;
  return { code: "tools-unsupported", message: `${noToolsText(model)}.`, retryable: false };
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
  const ids: readonly Habit[] = [
    ...habitRows.map(({ id }) => id),
    "no-tools",
    "unread-calls",
    "starts-in-thought",
  ];
  return ids.filter((id) => names.includes(id));
}
