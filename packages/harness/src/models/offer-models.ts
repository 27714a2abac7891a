/** Selects the model at a terminal. If it is missing, offers other models to the person. */
import { HarnessError } from "@localharness/engine";
import type { OfferedModel, SelectedModel } from "@localharness/models";
import { visibleLine } from "@localharness/protocol";
import type { Settings } from "../config/settings.ts";
import { type ModelFiles, selectionOf, selectModel } from "./select-model.ts";

export interface OfferParts {
  readonly settings: Settings;
  readonly files: ModelFiles;
  readonly environment: NodeJS.ProcessEnv;
}

export type Tried =
  | { readonly kind: "model"; readonly model: SelectedModel }
  /** `text` says what is wrong and lists the offered models by number. */
  | { readonly kind: "none"; readonly text: string; readonly offered: readonly OfferedModel[] };

const maxOffered = 20;

/**
 * Selects the model that the settings name, or one that is found if they name none. Returns kind `none` if the model is
 * unknown or no model was found; `offered` is then empty if no server answered. Rejects with a `HarnessError` for any other
 * mistake.
 */
export async function tryModel(parts: OfferParts): Promise<Tried> {
  const { settings, files, environment } = parts;
  try {
    const look = await isAskedFirst(parts);
    return { kind: "model", model: await selectModel(settings, { ...files, look }, environment) };
  } catch (error) {
    if (!(error instanceof HarnessError) || error.code !== "model-unknown") throw error;
    const { bareUrl, UnknownModel } = await import("@localharness/models");
    if (!(error instanceof UnknownModel)) return { kind: "none", text: error.message, offered: [] };
    const offered = error.offered.slice(0, maxOffered);
    const rows = offered.map(
      ({ name, title, baseUrl }, index) =>
        `[${index + 1}] ${visibleLine(name)}  ${title} at ${bareUrl(baseUrl)}`,
    );
    const left = error.offered.length - offered.length;
    if (left > 0) rows.push(`and ${left} more: localharness models lists all`);
    return {
      kind: "none",
      text: [error.brief, ...(rows.length === 0 ? [] : ["", ...rows])].join("\n"),
      offered,
    };
  }
}

/**
 * Returns true if the server must be asked for the model first: if the settings name a model of an Ollama server, which
 * lists all models that it can run.
 */
async function isAskedFirst({ settings, files, environment }: OfferParts): Promise<boolean> {
  if (files.replay !== undefined || settings.values.model === undefined) return false;
  const { findProvider, placesOf } = await import("@localharness/models");
  const places = placesOf(await selectionOf(settings, files, environment));
  return places.every(({ provider }) => findProvider(provider)?.api === "ollama");
}

/**
 * Selects the model that a typed word means: its number in the list, or its name. Returns undefined if the word means
 * no offered model.
 */
export async function pickModel(
  parts: OfferParts,
  offered: readonly OfferedModel[],
  word: string,
): Promise<SelectedModel | undefined> {
  const picked = /^\d+$/.test(word) ? offered[Number(word) - 1] : offered.find(({ name }) => name === word);
  if (picked === undefined) return undefined;
  const { provider, baseUrl: host, name: model } = picked;
  return selectWith(parts, { provider, host, model });
}

/** Selects the demo, whichever server the settings name. */
export function pickDemo(parts: OfferParts): Promise<SelectedModel> {
  return selectWith(parts, { model: "demo" });
}

function selectWith(
  { settings, files, environment }: OfferParts,
  named: Pick<Settings["values"], "provider" | "host" | "model">,
): Promise<SelectedModel> {
  const { provider: _provider, host: _host, model: _model, ...values } = settings.values;
  return selectModel(
    { ...settings, values: { ...values, ...named } },
    { ...files, look: named.provider === "ollama", picked: true },
    environment,
  );
}
