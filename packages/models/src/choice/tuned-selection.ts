/** Completes the person's selection with the settings that suit one model on one server. */
import { defined } from "@localharness/protocol";
import { bareUrl } from "../http/secrets.ts";
import type { Provider } from "./catalog.ts";
import type { ModelSelection } from "./model-selection.ts";
import type { ModelTuning } from "./model-tuning.ts";

/** Returns the selection with the tuning of the model. Values that the person has not set come from the tuning. */
export function tunedSelection(
  selection: ModelSelection,
  provider: Provider,
  baseUrl: string,
  model: string,
): ModelSelection & { readonly tuning: ModelTuning } {
  const tuning = selection.tuned?.(provider.id, bareUrl(baseUrl), model) ?? {};
  // `native` is not enforced: calls in text are also read, because a model may change its way of writing.
  const toolCalls = selection.toolCalls ?? (tuning.toolCalls === "text" ? "text" : undefined);
  const numCtx = selection.numCtx ?? (provider.api === "ollama" ? tuning.window : undefined);
  const formats = selection.formats ?? (tuning.format === undefined ? undefined : [tuning.format]);
  return { ...selection, tuning, ...defined({ toolCalls, numCtx, formats }) };
}
