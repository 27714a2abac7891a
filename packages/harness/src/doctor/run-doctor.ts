/** `localharness doctor`: tries a model with real requests, saves its profile and gives advice. */
import { usageError } from "@localharness/engine";
import type { ModelTuning, SelectedModel } from "@localharness/models";
import { defined, plainJson, plainText, visibleLine } from "@localharness/protocol";
import { createWriteJournal } from "@localharness/tools";
import { stateFolder } from "../config/location.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { exitCodes } from "../exit-code.ts";
import { folded } from "../fold-lines.ts";
import { forgetModel, keepTried } from "../model-profiles/profile-file.ts";
import type { TriedProfile } from "../model-profiles/tried-profile.ts";
import type { Options } from "../options.ts";
import { selectionOf } from "../select-model.ts";
import { builtInTools } from "../workbench.ts";
import { adviceOf, profileOf } from "./advice.ts";
import { checkMachine, type MachineCheck } from "./check-machine.ts";
import { type Findings, tryModel } from "./try-model.ts";

export interface DoctorRequest {
  readonly positionals: readonly string[];
  readonly flags: Options & {
    readonly json?: string | number | true;
    readonly forget?: string | number | true;
  };
}

/** Runs the command and returns the exit code, which is 1 if something is broken. */
export async function runDoctor({ positionals, flags }: DoctorRequest): Promise<number> {
  const [named, ...others] = positionals;
  if (others.length > 0) throw usageError("usage: localharness doctor [MODEL]");
  if (typeof flags.forget === "string") return forget(flags.forget);
  const settings = await loadSettings(named === undefined ? flags : { ...flags, model: named });
  const checks = await checkMachine(settings);
  const tried = await tryFound(settings);
  if (flags.json === true) print(plainJson({ checks, ...tried }));
  else print(report(checks, tried).map(visibleLine).join("\n"));
  if ("interrupted" in tried) return exitCodes.interrupted;
  const broken = "problem" in tried || tried.findings.broken !== undefined;
  return broken || checks.some(({ ok }) => !ok) ? exitCodes.error : exitCodes.done;
}

type Tried =
  | { readonly problem: string; readonly interrupted?: true }
  | {
      readonly model: string;
      readonly findings: Findings;
      readonly profile?: TriedProfile;
      readonly advice: readonly string[];
      readonly seconds: number;
    };

async function tryFound(settings: Settings): Promise<Tried> {
  const { bareUrl, createModel } = await import("@localharness/models");
  const { formatsToTry } = await import("@localharness/models/formats-to-try");
  const selection = await selectionOf(settings, {}, process.env);
  let selected: SelectedModel;
  try {
    selected = await createModel(selection);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const { provider, baseUrl } = selected;
  const name = selected.model.name;
  const open = async ({ toolCalls, format }: ModelTuning) => {
    const { learnt: _learnt, tuned: _tuned, ...rest } = selection;
    const how = { toolCalls: toolCalls ?? "native", ...(format === undefined ? {} : { formats: [format] }) };
    const at = baseUrl === "" ? {} : { provider, baseUrl };
    return (await createModel({ ...rest, ...at, model: name, retry: { tries: 1 }, ...how })).model;
  };
  const began = performance.now();
  const formats = formatsToTry(name, selected.profile?.facts.template);
  const say = (check: string) => process.stderr.write(`· trying ${check}\n`);
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const signal = AbortSignal.any([interrupt.signal, AbortSignal.timeout(120_000)]);
  const tools = await builtInTools();
  const claimed = selected.contextWindow ?? (await selected.model.contextWindow?.(Number.POSITIVE_INFINITY));
  const findings = await tryModel({ open, formats, tools, ...defined({ claimed }), signal, say });
  if (interrupt.signal.aborted) return { problem: "Interrupted: nothing was saved.", interrupted: true };
  const seconds = Math.round(performance.now() - began) / 1_000;
  const advice = adviceOf(findings);
  const folder = stateFolder();
  if (findings.calls === "none" || folder === undefined || baseUrl === "") {
    return { model: name, findings, advice, seconds };
  }
  const profile = profileOf(findings, Date.now());
  const key = { provider, address: bareUrl(baseUrl), model: name };
  await keepTried(folder, key, profile, createWriteJournal(folder));
  return { model: name, findings, profile, advice, seconds };
}

function report(checks: readonly MachineCheck[], tried: Tried): readonly string[] {
  const machine = checks.map(
    ({ name, ok, words }) => `${ok ? "ok     " : "BROKEN "} ${name.padEnd(14)} ${words}`,
  );
  if ("problem" in tried) return [...machine, "", ...tried.problem.split("\n")];
  const { calls, format, several, wrongTypes, thinks, announces, edit, remembers, window, requests } =
    tried.findings;
  const rows: readonly (readonly [string, string])[] = [
    ["tool calls", format === undefined ? calls : `${calls} (${format})`],
    ["several at once", several ? "yes" : "no"],
    ["wrong types", wrongTypes.join(", ") || "none"],
    ["thinks", thinks],
    ["announces", announces ? "yes" : "no"],
    ["edits", edit === undefined ? "not tried" : editWords[edit]],
    ["remembers", remembers === undefined ? "unknown" : `${remembers} tokens`],
    ["window", window === undefined ? "as the server says" : `${window} tokens`],
    ["reads", speed(tried.findings.readsPerSecond)],
    ["writes", speed(tried.findings.writesPerSecond)],
  ];
  const took = `${requests} requests in ${tried.seconds.toFixed(1)} s.`;
  const kept = tried.profile === undefined ? "Nothing was saved." : "Saved: the next run uses this profile.";
  return [
    ...machine,
    "",
    `Model ${tried.model}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(16)} ${value}`),
    "",
    ...tried.advice,
    `${took} ${kept}`,
  ];
}

const editWords: Readonly<Record<NonNullable<Findings["edit"]>, string>> = {
  text: "old and new text",
  lines: "line numbers",
  file: "whole files only",
  none: "none succeeded",
};

function speed(perSecond: number | undefined): string {
  return perSecond === undefined ? "unknown" : `${perSecond} tokens/s`;
}

async function forget(model: string): Promise<number> {
  const folder = stateFolder();
  const count = folder === undefined ? 0 : await forgetModel(folder, model, createWriteJournal(folder));
  print(count === 0 ? `Nothing is kept about ${model}.` : `Forgot the profile of ${model}.`);
  return count === 0 ? exitCodes.error : exitCodes.done;
}

function print(text: string): void {
  process.stdout.write(folded(`${plainText(text)}\n`));
}
