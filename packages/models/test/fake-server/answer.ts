/** Selects the turn for a request and prepares it for writing, with its calls in the text or beside it. */
import { toMessages } from "@localharness/detect";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { Fault, PromptProgressFrame, Scenario, ScriptedTurn, Wire } from "./scenario.ts";
import type { ReadPrompt } from "./strict/reading-frames.ts";

export interface ReadyCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly argumentsText: string;
}

export interface Answer {
  readonly model: string;
  readonly turn: number;
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly ReadyCall[];
  readonly finishReason: string;
  readonly wire: Required<Wire>;
  readonly promptProgress: readonly PromptProgressFrame[];
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Only for a strict server: how it read the prompt. */
  readonly read?: ReadPrompt;
}

/** What a strict server knows about a request that it accepts. */
export interface Taken {
  /** Number of answers that it gave before. */
  readonly turn: number;
  readonly read: ReadPrompt;
}

const plainWire: Required<Wire> = {
  deltaChars: 12,
  chunkBytes: 0,
  lineEnd: "\n",
  toolDeltas: "plain",
  reasoningKey: "reasoning_content",
  plain: false,
  withoutDone: false,
  withoutFinish: false,
  delayMs: 0,
  everyMs: 0,
};

/** Returns the number of assistant messages in the request, which is the index of the turn. */
export function turnOf(body: JsonObject): number {
  const messages = Array.isArray(body["messages"]) ? body["messages"] : [];
  return messages.filter((message) => isJsonObject(message) && message["role"] === "assistant").length;
}

/** Returns the turns of the conversation to which a request belongs. */
function turnsOf({ turns, conversations = [] }: Scenario, body: JsonObject): readonly ScriptedTurn[] {
  const messages = Array.isArray(body["messages"]) ? body["messages"] : [];
  const first = messages.find((message) => isJsonObject(message) && message["role"] === "user");
  const said = isJsonObject(first) ? String(first["content"]) : "";
  return conversations.find(({ says }) => said.includes(says))?.turns ?? turns;
}

export function answerFor(scenario: Scenario, body: JsonObject, bodyBytes: number, taken?: Taken): Answer {
  const index = taken?.turn ?? turnOf(body);
  const scripted: ScriptedTurn = turnsOf(scenario, body)[index] ?? {
    text: "The scenario has no more turns.",
  };
  // Without tools in the request, the model writes its calls as text.
  const asText = taken !== undefined && body["tools"] === undefined && scripted.calls !== undefined;
  const turn: ScriptedTurn = asText ? { writtenAs: "hermes", ...scripted } : scripted;
  const calls = (turn.calls ?? []).map((call, place) => ({
    id: call.id ?? (taken === undefined ? `call_${index}_${place}` : longId(index, place)),
    name: call.name,
    arguments: call.arguments,
    argumentsText: call.argumentsText ?? JSON.stringify(call.arguments),
  }));
  const native = turn.writtenAs === undefined;
  const text = native ? (turn.text ?? "") : written(turn, calls);
  return {
    model: typeof body["model"] === "string" ? body["model"] : "",
    turn: index,
    reasoning: turn.reasoning ?? "",
    text,
    calls: native ? calls : [],
    finishReason: turn.finishReason ?? (native && calls.length > 0 ? "tool_calls" : "stop"),
    wire: {
      ...plainWire,
      ...wireOf(scenario),
      ...wireOf(turn),
      ...(body["stream"] === false ? { plain: true } : {}),
    },
    promptProgress: body["return_progress"] === true ? (turn.promptProgress ?? []) : [],
    promptTokens: taken?.read.tokens ?? Math.ceil(bodyBytes / 4),
    outputTokens: Math.ceil((text.length + (turn.reasoning ?? "").length) / 4) + 5,
    ...(taken === undefined ? {} : { read: taken.read }),
  };
}

/** Returns an id of 32 letters and digits, like those of llama.cpp. */
function longId(turn: number, place: number): string {
  return `${turn}x${place}`.padEnd(32, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ");
}

/** Returns the fault for this attempt at one of the scenario's `turns`, if any; attempts count from 0. */
export function faultFor(scenario: Scenario, turn: number, attempt: number): Fault | undefined {
  return scenario.turns[turn]?.faults?.[attempt];
}

/** Cuts a text into deltas, never inside a surrogate pair. */
export function* pieces(text: string, chars: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + chars, text.length);
    const unit = text.charCodeAt(to - 1);
    if (unit >= 0xd800 && unit < 0xdc00 && to < text.length) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

function written(turn: ScriptedTurn, calls: readonly ReadyCall[]): string {
  if (turn.writtenAs === undefined) return turn.text ?? "";
  const messages = toMessages(turn.writtenAs, { text: turn.text ?? "", calls, results: [] });
  return messages.map((message) => message.content).join("\n");
}

function wireOf(part: Wire): Partial<Wire> {
  const keys = Object.keys(plainWire) as (keyof Wire)[];
  return Object.fromEntries(keys.filter((key) => part[key] !== undefined).map((key) => [key, part[key]]));
}
