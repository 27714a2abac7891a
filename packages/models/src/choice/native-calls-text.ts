/**
 * The sentences about native tool calls. Before a model is asked, only what its server says of it is known; afterwards, what the
 * server did. None of them says of the model what only the server said or did, so that no two contradict each other.
 */
import type { FormatId } from "@localharness/detect";

/** Returns the end of a sentence about a model: what its server and its template say of native calls; empty if nothing. */
export function saidOfCallsText(calls: boolean | undefined): string {
  if (calls === undefined) return "";
  return calls
    ? "; its server says that it calls tools natively"
    : "; it has no native tool calls, so the tools are described in its prompt";
}

/** Returns the reason why tools are described in the prompt of a model whose calls the server cannot read. */
export function unreadCallsText(model: string): string {
  return `The server failed twice to read what ${model} wrote`;
}

/** Returns the reason why tools are described in the prompt of a model whose chat template has no place for them. */
export function noToolsText(model: string): string {
  return `The chat template of ${model} has no place for tools`;
}

/** Returns the message that tools are described in the prompt from now on. `failure` is what a request with tools ended with. */
export function describedToolsText(model: string, failure: string, format: FormatId): string {
  const known = [unreadCallsText(model), noToolsText(model)].find((text) => failure.startsWith(text));
  const why = known ?? `The server takes no native tool calls for ${model}`;
  return `${why}: the tools are described in the prompt (format ${format}), and its calls are read from its text.`;
}
