/**
 * What is known of one model on one server: its template's demands, its window, what it takes. Read from the server
 * where it tells, learnt from its refusals where it does not, and kept in the person's files for the next run.
 */
import type { ModelRequest } from "@localharness/engine";
import type { ModelFailure } from "../failure.ts";
import {
  type Habit,
  habitOfRefusal,
  habitRows,
  habitsOfTemplate,
  isTemplateRefusal,
  plainHabits,
} from "./habits.ts";

/** What a server tells of the model that it runs. */
export interface ModelFacts {
  readonly template?: string;
  /** `chat_template_caps` of llama.cpp. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Tokens that one conversation can hold. */
  readonly contextWindow?: number;
  /** Conversations that the server holds at once. */
  readonly slots?: number;
  readonly takesTools?: boolean;
  readonly canSee?: boolean;
}

export interface ModelProfile {
  readonly habits: ReadonlySet<Habit>;
  readonly facts: ModelFacts;
  /** What refusals have taught, in this run and in earlier ones. */
  learnt(): readonly Habit[];
  /** Takes in what the server tells; in place of what it told before. */
  tell(facts: ModelFacts): void;
  /** What is done from now on about a refusal, as a sentence; undefined where nothing is left to try. */
  learn(failure: ModelFailure): string | undefined;
}

/** A refusal's own words, as many as fit on a line. */
const maxQuotedChars = 160;

/** `given`: demands of every model of this server. `earlier`: what earlier runs have learnt; unknown names are passed over. */
export function createProfile(given: readonly Habit[] = [], earlier: readonly string[] = []): ModelProfile {
  const learnt = new Set<Habit>(known(earlier));
  let facts: ModelFacts = {};
  let told: readonly Habit[] = [];
  let all: ReadonlySet<Habit> = new Set([...given, ...learnt]);

  const unite = () => {
    all = new Set([...given, ...told, ...learnt]);
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
    learnt: () => [...learnt],
    tell(said) {
      facts = said;
      told = habitsOfFacts(said);
      // What the server says of tools counts more than what an earlier run had to find out.
      if (said.template !== undefined || said.takesTools !== undefined) learnt.delete("no-tools");
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

/** The failure of a request with tools to a model that is known to take none: it is asked in text then. */
export function declinesTools(
  profile: ModelProfile,
  request: ModelRequest,
  model: string,
): ModelFailure | undefined {
  if (request.tools.length === 0 || !profile.habits.has("no-tools")) return undefined;
  const message = `The chat template of ${model} takes no tools.`;
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
  const ids: readonly Habit[] = [...habitRows.map(({ id }) => id), "no-tools"];
  return ids.filter((id) => names.includes(id));
}

function refused(words: string, remedy: string): string {
  const first = words.split("\n", 1)[0] ?? "";
  const quoted = first.length > maxQuotedChars ? `${first.slice(0, maxQuotedChars)}…` : first;
  return `refused the conversation: "${quoted}". Sent again: ${remedy}`;
}
