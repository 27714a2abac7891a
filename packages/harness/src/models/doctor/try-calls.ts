/** Finds a way in which a model calls tools, and checks the types of its arguments. */
import { announcesStep, type Model, type ToolDefinition } from "@localharness/engine";
import type { ModelTuning } from "@localharness/models";
import type { JsonObject } from "@localharness/protocol";
import type { Put, TrialAnswer } from "./ask.ts";
import type { TunedFormat } from "./findings.ts";

export interface CallTrial {
  /** Resolves to the model, connected with the way of calling tools that `tuning` names. */
  readonly open: (tuning: ModelTuning) => Promise<Model>;
  /** The text formats to try, the likeliest first. */
  readonly formats: readonly TunedFormat[];
  readonly put: Put;
  /** Receives the name of each check when it begins. */
  readonly say: (check: string) => void;
}

export interface FoundCalls {
  /** Absent if an answer came too late to tell, or if the server failed. */
  readonly calls?: "native" | "text" | "none";
  /** The server's message, if no way gave a call and the server failed at one of them. */
  readonly broken?: string;
  readonly announces: boolean;
  readonly format?: TunedFormat;
  /** The model, connected with the way of calling tools that was found. */
  readonly model?: Model;
  readonly wrongTypes?: readonly string[];
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
/** The maximum number of text formats that are tried. */
const maxFormats = 5;

/** Tries native calls, then the first five text formats until one gives a call. `calls` is `none` if no way gives a call. */
export async function tryCalls({ open, formats, put, say }: CallTrial): Promise<FoundCalls> {
  say("native tool calls");
  const native = await open({ toolCalls: "native" });
  const first = await put(native, orderTask, [order]);
  const announces = isAnnouncement(first);
  if (first.calls.length > 0) return found("native", announces, native, first);
  if (first.late) return { announces };
  let broken = first.refusedTools ? undefined : first.failure;
  // A model that announced the call makes it when it is asked again, as in a session.
  if (announces) {
    const again = await put(native, `${orderTask} Make the call now; do not announce it.`, [order]);
    if (again.calls.length > 0) return found("native", announces, native, again);
    if (again.late) return { announces };
    broken = again.refusedTools ? undefined : again.failure;
  }
  for (const format of formats.slice(0, maxFormats)) {
    say(`tool calls as text, format ${format}`);
    const model = await open({ toolCalls: "text", format });
    const answer = await put(model, orderTask, [order]);
    if (answer.calls.length > 0) return { ...found("text", false, model, answer), format };
    if (answer.late) return { announces };
    // A prompt that is too long says nothing about the server.
    if (!answer.tooLong) broken ??= answer.failure;
  }
  return broken === undefined ? { calls: "none", announces } : { broken, announces };
}

function found(calls: "native" | "text", announces: boolean, model: Model, answer: TrialAnswer): FoundCalls {
  return { calls, announces, model, wrongTypes: wrongTypes(answer.calls[0]?.arguments ?? {}) };
}

/** Returns true if the answer only says which call comes next. */
export function isAnnouncement({ calls, text, failure }: TrialAnswer): boolean {
  return failure === undefined && calls.length === 0 && text !== "" && announcesStep(text);
}

/** Returns the names of arguments whose value has another type than the schema of `order` says. */
function wrongTypes(given: JsonObject): readonly string[] {
  const { count, urgent, labels, address } = given;
  const right: Readonly<Record<string, boolean>> = {
    count: Number.isInteger(count),
    urgent: typeof urgent === "boolean",
    labels: Array.isArray(labels),
    address: typeof address === "object" && address !== null && !Array.isArray(address),
  };
  return Object.keys(right).filter((name) => right[name] === false);
}
