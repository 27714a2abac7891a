/** Finds a server and tries its model, as a chat would find and use it. */
import type { ModelTuning, Sampling, SelectedModel } from "@localharness/models";
import { defined, reasonOf } from "@localharness/protocol";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { detailFor } from "../../compose/tools-in-use.ts";
import { builtInTools } from "../../compose/workbench.ts";
import { stateFolder } from "../../config/location.ts";
import type { Settings } from "../../config/settings.ts";
import { chosenTools } from "../../graph/offer-graph.ts";
import { type ChosenSampling, chosenSampling } from "../model-profiles/open-tuning.ts";
import { keepTried } from "../model-profiles/profile-file.ts";
import type { TriedProfile } from "../model-profiles/tried-profile.ts";
import { tryModel as selectOrOffer } from "../offer-models.ts";
import { selectionOf } from "../select-model.ts";
import { adviceOf, profileOf } from "./advice.ts";
import type { Findings } from "./findings.ts";
import type { ProgressLines } from "./show-progress.ts";
import { tryModel } from "./try-model.ts";
import { windowToTry } from "./window-to-try.ts";

export interface TriedModel {
  readonly model: string;

  readonly address: string;
  readonly findings: Findings;
  readonly advice: readonly string[];
  /** Absent if nothing was saved. */
  readonly profile?: TriedProfile;
  readonly sampling: ChosenSampling;
  readonly seconds: number;
}

export type Tried = TriedModel | { readonly problem: string };

/**
 * Tries the model that the settings name, or that a chat would use. Returns a `problem` if there is no model. Saves the
 * profile, unless the trial was interrupted, the model called no tool or is the demo, or there is no home folder. Rejects if
 * the profile cannot be saved.
 */
export async function tryFound(
  settings: Settings,
  progress: ProgressLines,
  interrupt: AbortSignal,
): Promise<Tried> {
  const { bareUrl } = await import("@localharness/models");
  progress.say("to find the model");
  const selected = await select(settings, progress);
  if ("problem" in selected) return selected;
  progress.tell(selected.reason);
  const { provider, baseUrl, model } = selected;
  const address = bareUrl(baseUrl);
  const sampling = chosenSampling(settings.values.sampling, provider, model.name);
  const began = performance.now();
  const findings = await runTrial(selected, settings, sampling.values, progress, interrupt);
  const seconds = Math.round(performance.now() - began) / 1_000;
  const tried = {
    model: model.name,
    address,
    findings,
    advice: adviceOf(findings),
    sampling,
    seconds,
  };
  const folder = stateFolder();
  const profile = profileOf(findings, Date.now());
  if (interrupt.aborted || profile === undefined || folder === undefined || baseUrl === "") return tried;
  await keepTried(folder, { provider, address, model: model.name }, profile, createWriteJournal(folder));
  return { ...tried, profile };
}

async function select(
  settings: Settings,
  { tell }: ProgressLines,
): Promise<SelectedModel | { readonly problem: string }> {
  try {
    const parts = { settings, files: { whileLoading: tell }, environment: process.env };
    const found = await selectOrOffer(parts);
    return found.kind === "model" ? found.model : { problem: found.text };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

async function runTrial(
  selected: SelectedModel,
  settings: Settings,
  sampling: Sampling | undefined,
  { say }: ProgressLines,
  interrupt: AbortSignal,
): Promise<Findings> {
  const { createModel } = await import("@localharness/models");
  const { formatsToTry } = await import("@localharness/models/formats-to-try");
  const { provider, baseUrl, model } = selected;
  // The findings of earlier trials and runs must not decide this trial.
  const { learnt: _learnt, tuned: _tuned, ...selection } = await selectionOf(settings, {}, process.env);
  const at = baseUrl === "" ? {} : { provider, baseUrl };
  const numCtx = await windowToTry(selected, settings, process.env);
  const sized = defined({ numCtx });
  const open = async ({ toolCalls = "native", format }: ModelTuning) => {
    const way = { toolCalls, ...(format === undefined ? {} : { formats: [format] }) };
    const tuned = () => defined({ sampling });
    const named = { ...selection, ...at, ...sized, model: model.name, tuned, ...way, retry: { tries: 1 } };
    return (await createModel(named)).model;
  };
  const claimed = numCtx ?? selected.contextWindow ?? (await model.contextWindow?.(Number.POSITIVE_INFINITY));
  const tools = await builtInTools();
  const detail = detailFor(chosenTools(tools.list(), "standard"), claimed, settings.values);
  return tryModel({
    open,
    formats: formatsToTry(model.name, selected.profile?.facts.template),
    tools,
    toolSets: detail === "minimal" ? ["minimal"] : ["standard", "minimal"],
    ...defined({ claimed }),
    interrupt,
    say,
  });
}
