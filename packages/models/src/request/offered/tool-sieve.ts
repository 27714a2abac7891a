/**
 * Decides how the tools of a request are sent. If a server refuses the tools, finds the ones that it refuses by halves, and
 * sends them in a plainer form or leaves them out. What was found holds for the session, so that prompts stay the same.
 */
import type { ModelRequest, ParametersSchema, ToolDefinition } from "@localharness/engine";
import type { ModelFailure } from "../../answer/failure.ts";
import { listNames } from "../../choice/list-names.ts";
import { quotedRefusal } from "../profile/history-ladder.ts";
import { type SchemaForm, sentSchema } from "./sent-schema.ts";

export interface ToolSieve {
  /** Returns the tools as they are sent. The same tools always give the same text. */
  sent(tools: readonly ToolDefinition[]): readonly ToolDefinition[];
  /** Notes that the server has taken these tools. */
  taken(tools: readonly ToolDefinition[]): void;
  /** Returns true if the failure may come from a tool that the server has not taken before. */
  isSuspect(failure: ModelFailure, request: ModelRequest): boolean;
  /**
   * Finds the tools that the server refuses. `ask` resolves to true if the server takes a request with these tools, and to
   * undefined if that cannot be told. Sends at most `maxAsked` requests.
   */
  sift(
    failure: ModelFailure,
    tools: readonly ToolDefinition[],
    ask: (tools: readonly ToolDefinition[]) => Promise<boolean | undefined>,
  ): Promise<Sifted>;
}

/**
 * `told` is a notice about tools that are now sent in another form or left out. `none` means that the server takes no tool at
 * all, `unclear` that the tools are not the cause, or that the cause was not found.
 */
export type Sifted =
  | { readonly kind: "told"; readonly notice: string }
  | { readonly kind: "none" | "unclear" };

type Fate = SchemaForm | "left-out";

/** The maximum number of requests of one search. */
export const maxAsked = 24;

/** A tool that every server with tools takes. */
const simplest: ToolDefinition = {
  name: "now",
  description: "Returns the time.",
  parameters: { type: "object", properties: { zone: { type: "string" } } },
};

export function createToolSieve(): ToolSieve {
  const fates = new Map<string, Fate>();
  /** The keys of tools that the server has taken, or that are known not to be the cause of a refusal. */
  const proven = new Set<string>();
  const takenLists = new WeakSet<readonly ToolDefinition[]>();
  const written = new WeakMap<ParametersSchema, Map<SchemaForm, ToolDefinition>>();

  function write(tool: ToolDefinition, form: SchemaForm): ToolDefinition {
    const forms = written.get(tool.parameters) ?? new Map<SchemaForm, ToolDefinition>();
    written.set(tool.parameters, forms);
    const known = forms.get(form);
    if (known?.name === tool.name && known.description === tool.description) return known;
    const parameters = sentSchema(tool.parameters, form) as unknown as ParametersSchema;
    const one = { name: tool.name, description: described(tool.description, form), parameters };
    if (form === "shaped") forms.set(form, one);
    return one;
  }

  const sent = (tools: readonly ToolDefinition[]) =>
    tools.flatMap((tool) => {
      const fate = fates.size === 0 ? "shaped" : (fates.get(keyOf(tool)) ?? "shaped");
      return fate === "left-out" ? [] : [write(tool, fate)];
    });

  return {
    sent,
    taken(tools) {
      if (tools.length === 0 || takenLists.has(tools)) return;
      takenLists.add(tools);
      for (const tool of tools) proven.add(keyOf(tool));
    },
    isSuspect: ({ code, status = 0 }, { tools }) =>
      (code === "bad-request" || code === "server-error") &&
      suspectStatus.has(status) &&
      !takenLists.has(tools) &&
      tools.some((tool) => !proven.has(keyOf(tool)) && fates.get(keyOf(tool)) !== "left-out"),
    async sift(failure, tools, ask) {
      const search = createSearch(
        tools,
        (tool) => proven.has(keyOf(tool)),
        sent,
        write,
        ask,
        namesTools(failure),
      );
      const found = await search();
      if (found === "none" || found === "unclear") return { kind: found };
      for (const [tool, fate] of found) fates.set(keyOf(tool), fate);
      for (const tool of tools) if (found.get(tool) !== "left-out") proven.add(keyOf(tool));
      return found.size === 0 ? { kind: "unclear" } : { kind: "told", notice: noticeOf(failure, found) };
    },
  };
}

/** The statuses with which servers refuse tools. */
const suspectStatus = new Set([400, 406, 409, 412, 415, 422, 424, 500, 501]);

/** Matches a refusal that is about tools or their schemas. */
const toolWords = /\btools?\b|\bfunctions?\b|schema|grammar|\bparameters\b|properties|\benum\b|unmarshal/i;

/** Returns true if the words of a refusal are about tools. */
export function namesTools({ said = "" }: ModelFailure): boolean {
  return toolWords.test(said);
}

const maxPlainDescription = 1_000;

function described(description: string, form: SchemaForm): string {
  if (form === "shaped" || description.length <= maxPlainDescription) return description;
  return `${description.slice(0, maxPlainDescription - 1).toWellFormed()}…`;
}

function keyOf({ name, description, parameters }: ToolDefinition): string {
  return JSON.stringify([name, description, parameters]);
}

type Found = ReadonlyMap<ToolDefinition, Fate>;

/** Thrown within a search when the server did not say whether it takes a request. */
class NoAnswer extends Error {}

/**
 * Returns a search for the tools that a server refuses. It resolves to their fates: empty if the tools are not the cause, `none` if
 * the server takes no tool at all, `unclear` if it gave no answer. A tool that could not be tried within the limit is left out.
 */
function createSearch(
  tools: readonly ToolDefinition[],
  isProven: (tool: ToolDefinition) => boolean,
  sent: (tools: readonly ToolDefinition[]) => readonly ToolDefinition[],
  write: (tool: ToolDefinition, form: SchemaForm) => ToolDefinition,
  ask: (tools: readonly ToolDefinition[]) => Promise<boolean | undefined>,
  isNamed: boolean,
): () => Promise<Found | "none" | "unclear"> {
  const found = new Map<ToolDefinition, Fate>();
  const good = sent(tools.filter(isProven)).slice();
  let asked = 0;
  const takes = async (list: readonly ToolDefinition[]) => {
    asked += 1;
    if (asked > maxAsked) return false;
    const answer = await ask(list);
    if (answer === undefined) throw new NoAnswer();
    return answer;
  };

  /** Adds the tools that the server takes to `good`, and the fates of the others to `found`. Resolves to true if it takes all. */
  async function sift(list: readonly ToolDefinition[], isRefused: boolean): Promise<boolean> {
    if (!isRefused && (await takes([...good, ...sent(list)]))) {
      good.push(...sent(list));
      return true;
    }
    const [only] = list;
    if (only === undefined) return true;
    if (list.length === 1) {
      const plain = write(only, "plainest");
      const helps = await takes([...good, plain]);
      if (helps) good.push(plain);
      found.set(only, helps ? "plainest" : "left-out");
      return false;
    }
    const half = Math.ceil(list.length / 2);
    const first = await sift(list.slice(0, half), false);
    // If the first half is taken, the second half is what made the server refuse the whole.
    await sift(list.slice(half), first);
    return false;
  }

  async function search(): Promise<Found | "none"> {
    const suspects = tools.filter((tool) => !isProven(tool));
    if (!(await takes([]))) return found;
    // A refusal that does not name the tools may have come by chance.
    if (!isNamed && (await takes(sent(tools)))) return found;
    if (await takes([...good, ...suspects.map((tool) => write(tool, "plainest"))])) {
      for (const tool of suspects) found.set(tool, "plainest");
      return found;
    }
    if (good.length === 0 && !(await takes([simplest]))) return "none";
    await sift(suspects, true);
    return good.length === 0 ? "none" : found;
  }

  return () =>
    search().catch((error: unknown) => {
      if (error instanceof NoAnswer) return "unclear" as const;
      throw error;
    });
}

/** The maximum number of names in a notice. */
const maxNames = 5;

function noticeOf({ said = "", message }: ModelFailure, found: Found): string {
  const named = (fate: Fate) => [...found].flatMap(([{ name }, one]) => (one === fate ? [name] : []));
  const [out, plain] = [named("left-out"), named("plainest")];
  const changes = [
    ...(out.length === 0
      ? []
      : [`without ${listNames(out, maxNames)}, which the model cannot use in this session`]),
    ...(plain.length === 0 ? [] : [`with the parameters of ${listNames(plain, maxNames)} in a plainer form`]),
  ];
  return `refused the tools: "${quotedRefusal(said === "" ? message : said)}". Sent again: ${changes.join(", and ")}`;
}
