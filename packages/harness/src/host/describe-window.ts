/** Says how large the context window is and where the figure comes from. */
import type { Session } from "@localharness/engine";
import { defined, type WindowReport } from "@localharness/protocol";
import type { Composition } from "../compose/compose.ts";
import type { Settings } from "../config/settings.ts";

type Window = WindowReport["window"];

export function describeWindow(
  { selected }: Composition,
  session: Session,
  settings: Settings,
  turns: WindowReport["turns"],
): WindowReport {
  const { contextWindow: running } = session.view().usage;
  const window = windowOf(running, selected.contextWindow, { settings, provider: selected.provider });
  return { turns, ...defined({ window }) };
}

/**
 * Returns the size of the window and the source of the figure; undefined if the size is unknown. `running` is the
 * window that requests were made with, `chosen` the window that was known when the model was selected.
 */
function windowOf(
  running: number | undefined,
  chosen: number | undefined,
  { settings: { values, origins }, provider }: { readonly settings: Settings; readonly provider: string },
): Window {
  const tokens = running ?? chosen;
  if (tokens === undefined) return undefined;
  const asked = provider === "ollama" ? values.num_ctx : undefined;
  if (values.num_ctx === tokens) return { tokens, from: `num_ctx of ${origins.num_ctx ?? "the settings"}` };
  if (running !== undefined && running !== chosen) {
    return { tokens, from: asked === undefined ? "the server runs the model with it" : lowered(asked) };
  }
  if (provider === "ollama") {
    return { tokens, from: "chosen by what fits into video memory, or that of the loaded model" };
  }
  return { tokens, from: "the server reports it for the model" };
}

function lowered(asked: number): string {
  return `the server runs the model with it, although num_ctx asks for ${asked}`;
}
