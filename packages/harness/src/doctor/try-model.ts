/** Tries one model with real requests: how it calls tools, where it thinks, how it edits, and how fast it is. */
import { announcesStep, type Model, type ToolDefinition } from "@localharness/engine";
import type { ModelTuning } from "@localharness/models";
import { defined, type JsonObject } from "@localharness/protocol";
import type { EditForm } from "../model-profiles/tried-profile.ts";
import { type Answer, ask, type Put } from "./ask.ts";
import { type EditTools, tryEdits } from "./try-edits.ts";
import { tryWindow, type WindowFinding } from "./try-window.ts";

type Format = NonNullable<ModelTuning["format"]>;

export interface Trial {
  /** Connects to the model with the given tuning, which says how it calls tools. */
  readonly open: (tuning: ModelTuning) => Promise<Model>;
  readonly formats: readonly Format[];
  /** The built-in tools. Of these, the tools that edit files are tried. */
  readonly tools: EditTools;
  /** The context window in tokens that the server or the settings name; absent if neither does. */
  readonly claimed?: number;
  readonly signal: AbortSignal;
  /** Called with the name of each check when it begins. */
  readonly say: (check: string) => void;
}

/** The findings of the trial. `broken` is the server's message if not a single question was answered. */
export interface Findings extends WindowFinding {
  readonly broken?: string;
  readonly calls: "native" | "text" | "none";
  readonly format?: Format;
  readonly several: boolean;
  /** The names of the arguments whose type was not the type in the schema. */
  readonly wrongTypes: readonly string[];
  readonly thinks: "field" | "tags" | "opened" | "no";
  readonly announces: boolean;
  /** The form of edits in which the model succeeded; absent if the model calls no tools. */
  readonly edit?: EditForm | "none";
  readonly readsPerSecond?: number;
  readonly writesPerSecond?: number;
  readonly requests: number;
  readonly tokensSent: number;
}

const order: ToolDefinition = {
  name: "place_order",
  description: "Places an order.",
  parameters: {
    type: "object",
    properties: {
      count: { type: "integer" },
      urgent: { type: "boolean" },
      labels: { type: "array", items: { type: "string" } },
      address: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
    required: ["count", "urgent", "labels", "address"],
  },
};
const orderTask =
  "Use the tool place_order: count 3, urgent true, labels red and blue, address with city Oslo.";
const weather: ToolDefinition = {
  name: "get_weather",
  description: "Returns the weather in a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const weatherTask = "Use the tool get_weather for Paris and for Rome. Make both calls in this answer.";
/** The maximum number of text formats that are tried. */
const maxFormats = 5;

export async function tryModel(trial: Trial): Promise<Findings> {
  const asked: Answer[] = [];
  const put: Put = async (model, task, tools) => {
    const answer = await ask(model, task, tools, trial.signal);
    asked.push(answer);
    return answer;
  };
  trial.say("a plain question");
  const native = await trial.open({ toolCalls: "native" });
  const plain = await put(native, "Say hello in one short sentence.", []);
  trial.say("native tool calls and types of arguments");
  const first = plain.failure === undefined ? await put(native, orderTask, [order]) : plain;
  const found = await findCalls(trial, first, put);
  trial.say("several calls at once");
  const several = found.model === undefined ? undefined : await put(found.model, weatherTask, [weather]);
  const edit =
    found.model === undefined ? undefined : await tryEdits(found.model, trial.tools, put, trial.say);
  const broken = asked.every(({ failure }) => failure !== undefined) ? plain.failure : undefined;
  const { claimed, say } = trial;
  const { readsPerSecond } = speeds(asked);
  const window =
    broken === undefined ? await tryWindow({ model: native, claimed, put, say, readsPerSecond }) : {};
  return {
    ...defined({ broken, format: found.format, edit }),
    ...window,
    calls: found.calls,
    several: (several?.calls.length ?? 0) > 1,
    wrongTypes: found.answer === undefined ? [] : wrongTypes(found.answer.calls[0]?.arguments ?? {}),
    thinks: whereItThinks(asked),
    announces: found.announces || (several !== undefined && isAnnouncement(several)),
    ...speeds(asked),
    requests: asked.length,
    tokensSent: asked.reduce((sum, { inputTokens }) => sum + (inputTokens ?? 0), 0),
  };
}

interface FoundCalls {
  readonly calls: Findings["calls"];
  readonly announces: boolean;
  readonly format?: Format;
  readonly model?: Model;
  readonly answer?: Answer;
}

/** Finds a way in which the model calls tools: native calls, or else the first text format in which it makes a call. */
async function findCalls(trial: Trial, first: Answer, put: Put): Promise<FoundCalls> {
  const announces = isAnnouncement(first);
  if (first.calls.length > 0) {
    return { calls: "native", announces, model: await trial.open({ toolCalls: "native" }), answer: first };
  }
  if (first.failure !== undefined && !first.refusedTools) return { calls: "none", announces };
  // A model that only announced the call may make it when asked again, as a session would do.
  if (announces) {
    const model = await trial.open({ toolCalls: "native" });
    const again = await put(model, `${orderTask} Make the call now; do not announce it.`, [order]);
    if (again.calls.length > 0) return { calls: "native", announces, model, answer: again };
  }
  for (const format of trial.formats.slice(0, maxFormats)) {
    trial.say(`calls written as text (format ${format})`);
    const model = await trial.open({ toolCalls: "text", format });
    const answer = await put(model, orderTask, [order]);
    if (answer.calls.length > 0) return { calls: "text", announces: false, format, model, answer };
  }
  return { calls: "none", announces };
}

function isAnnouncement({ calls, text, failure }: Answer): boolean {
  return failure === undefined && calls.length === 0 && text !== "" && announcesStep(text);
}

/** Returns the names of the arguments whose value does not have the type in the schema of `order`. */
export function wrongTypes(given: JsonObject): readonly string[] {
  const { count, urgent, labels, address } = given;
  const right: Readonly<Record<string, boolean>> = {
    count: Number.isInteger(count),
    urgent: typeof urgent === "boolean",
    labels: Array.isArray(labels),
    address: typeof address === "object" && address !== null && !Array.isArray(address),
  };
  return Object.keys(right).filter((name) => right[name] === false);
}

function whereItThinks(asked: readonly Answer[]): Findings["thinks"] {
  if (asked.some(({ openedThought }) => openedThought)) return "opened";
  if (asked.some(({ taggedThought }) => taggedThought)) return "tags";
  return asked.some(({ reasoning }) => reasoning !== "") ? "field" : "no";
}

/** Returns the tokens per second of reading and of writing, from the answers with token counts. */
function speeds(asked: readonly Answer[]): Pick<Findings, "readsPerSecond" | "writesPerSecond"> {
  const rate = (rows: readonly (readonly [tokens: number | undefined, ms: number])[]) => {
    const known = rows.filter(([tokens, ms]) => tokens !== undefined && tokens > 1 && ms >= 1);
    const ms = known.reduce((sum, row) => sum + row[1], 0);
    const tokens = known.reduce((sum, row) => sum + (row[0] ?? 0), 0);
    return ms === 0 ? undefined : Math.round((tokens * 1_000) / ms);
  };
  return defined({
    readsPerSecond: rate(asked.map(({ inputTokens, firstMs }) => [inputTokens, firstMs])),
    writesPerSecond: rate(asked.map(({ outputTokens, restMs }) => [outputTokens, restMs])),
  });
}
