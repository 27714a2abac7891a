/** Tries one model with real requests: how it calls tools and edits, where it thinks, what it remembers, how fast it is. */
import type { Model, ToolDefinition, ToolRegistry } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import type { ToolSet } from "../model-profiles/tried-profile.ts";
import { ask, type Put, type TrialAnswer } from "./ask.ts";
import type { CheckName, Findings } from "./findings.ts";
import { speedsOf } from "./speeds.ts";
import { type CallTrial, type FoundCalls, isAnnouncement, tryCalls } from "./try-calls.ts";
import { tryEdits } from "./try-edits.ts";
import { tryToolSet } from "./try-tool-set.ts";
import { type TriedWindow, tryWindow } from "./try-window.ts";

export interface Trial extends Omit<CallTrial, "put"> {
  /** The built-in tools. */
  readonly tools: Pick<ToolRegistry, "list" | "definitions" | "validateInput">;
  /** The sets of tools that a session may offer in this window, the largest first. */
  readonly toolSets: readonly ToolSet[];
  /** The context window in tokens that the server or the settings name; absent if nobody names it. */
  readonly claimed?: number;
  /** Ends the trial when the person wants it. */
  readonly interrupt: AbortSignal;
}

/** The time limits of a trial, in milliseconds. */
export interface TrialLimits {
  /** The limit for the first part of the first answer. The server may have to load the model first. */
  readonly loadMs: number;
  /** The limit for the first part of any other answer, and the limit for the rest of an answer. */
  readonly answerMs: number;
  /** The limit for the trial, from the end of the first answer. */
  readonly trialMs: number;
}

const usualLimits: TrialLimits = { loadMs: 600_000, answerMs: 40_000, trialMs: 120_000 };

/** Resolves to the findings about the model. Never rejects. After an interrupt the findings must not be used. */
export async function tryModel(trial: Trial, limits: TrialLimits = usualLimits): Promise<Findings> {
  const { answerMs } = limits;
  const asked: TrialAnswer[] = [];
  trial.say("a plain question; a model that is not loaded takes longer");
  const native = await trial.open({ toolCalls: "native" });
  const plain = await ask(native, "Say hello in one short sentence.", [], {
    signal: trial.interrupt,
    firstMs: limits.loadMs,
    restMs: answerMs,
  });
  asked.push(plain);
  const failure = plain.late ? undefined : plain.failure;
  const timeIsUp = AbortSignal.timeout(limits.trialMs);
  const signal = AbortSignal.any([trial.interrupt, timeIsUp]);
  const put: Put = async (model, task, tools) => {
    const answer = await ask(model, task, tools, { signal, firstMs: answerMs, restMs: answerMs });
    asked.push(answer);
    return answer;
  };
  const found: FoundCalls =
    failure === undefined ? await tryCalls({ ...trial, put }) : { broken: failure, announces: false };
  const { broken, calls, format, wrongTypes } = found;
  const work = found.model === undefined ? {} : await tryWork(trial, { ...found, model: found.model }, put);
  // The first answer does not count for the speeds: the server may have loaded the model meanwhile.
  const { readsPerSecond } = speedsOf(asked.slice(1));
  const window: TriedWindow =
    calls === undefined
      ? { finding: {}, complete: false }
      : await tryWindow({ ...trial, claimed: trial.claimed, model: native, put, readsPerSecond, answerMs });
  const { announced = false, ...worked } = work;
  return {
    ...defined({ broken, calls, format, wrongTypes }),
    ...worked,
    ...window.finding,
    ...speedsOf(asked.slice(1)),
    thinks: whereItThinks(asked),
    announces: found.announces || announced,
    unfinished: broken === undefined ? unfinished(calls, worked, window.complete) : [],
    requests: asked.length,
    tokensSent: asked.reduce((sum, { inputTokens }) => sum + (inputTokens ?? 0), 0),
  };
}

const weather: ToolDefinition = {
  name: "get_weather",
  description: "Returns the weather in a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const weatherTask = "Use the tool get_weather for Paris and for Rome. Make both calls in this answer.";

type Work = Pick<Findings, "several" | "edit" | "toolSet"> & { readonly announced?: boolean };

/** Tries several calls at once, edits, and the choice of the right tool out of many. */
async function tryWork(
  { say, tools, toolSets }: Trial,
  { model }: FoundCalls & { readonly model: Model },
  put: Put,
): Promise<Work> {
  say("several tool calls at once");
  const several = await put(model, weatherTask, [weather]);
  const edit = await tryEdits(model, tools, put, say);
  say("the right tool out of many");
  const toolSet = await tryToolSet(model, tools, toolSets, put);
  return {
    announced: isAnnouncement(several),
    ...defined({
      several: several.failure === undefined ? several.calls.length > 1 : undefined,
      edit,
      toolSet,
    }),
  };
}

/** Returns the parts of the trial that have no result. */
function unfinished(
  calls: Findings["calls"],
  { several, edit, toolSet }: Work,
  knowsWindow: boolean,
): readonly CheckName[] {
  const needCalls = calls !== "none";
  const known: readonly (readonly [CheckName, boolean])[] = [
    ["tool calls", calls !== undefined],
    ["several calls at once", !needCalls || several !== undefined],
    ["edits", !needCalls || edit !== undefined],
    ["many tools", !needCalls || toolSet !== undefined],
    ["window", knowsWindow],
  ];
  return known.filter(([, isKnown]) => !isKnown).map(([name]) => name);
}

function whereItThinks(asked: readonly TrialAnswer[]): Findings["thinks"] {
  if (asked.some(({ openedThought }) => openedThought)) return "opened";
  if (asked.some(({ taggedThought }) => taggedThought)) return "tags";
  return asked.some(({ reasoning }) => reasoning !== "") ? "field" : "no";
}
