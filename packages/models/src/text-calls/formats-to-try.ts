/** Orders the formats in which a model may write calls. */
import { type FormatId, formats, formatsForModel } from "@localharness/detect";

/**
 * Returns every format: first the formats of the model's family and template, then the widespread formats, then the
 * others.
 */
export function formatsToTry(model: string, template?: string): readonly FormatId[] {
  const all = formats.map(({ id }) => id);
  return [...new Set([...formatsForModel(model, template), ...widespread, ...all])];
}

/** Formats that many families have seen in training. */
const widespread: readonly FormatId[] = ["hermes", "mistral", "qwen-coder"];
