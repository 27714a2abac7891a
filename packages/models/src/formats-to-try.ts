/** Lists the formats in which a model may write calls. */
import { type FormatId, formats, formatsForModel } from "@localharness/detect";

/** Returns every format: those of the model's family and template first, then the widespread ones, then the others. */
export function formatsToTry(model: string, template?: string): readonly FormatId[] {
  const all = formats.map(({ id }) => id);
  return [...new Set([...formatsForModel(model, template), ...widespread, ...all])];
}

/** Formats that many families have seen in training. */
const widespread: readonly FormatId[] = ["hermes", "mistral", "qwen-coder"];
