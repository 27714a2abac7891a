/** `/context`: shows the parts of the prompt, as a table of bytes and tokens. */
import type { ContextPart } from "@localharness/protocol";
import { sizeText } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { judgedLine } from "../plain-text.ts";

const maxBarWidth = 20;

export const context: SlashCommand = {
  name: "context",
  about: "what fills the prompt, in bytes and estimated tokens",
  async run(app) {
    const [parts, exact] = await Promise.all([app.host.listContext(), app.host.countContext()]);
    app.say(contextTable(parts, app.view().usage.contextWindow, app.windowUsed(), exact).join("\n"));
  },
};

/**
 * Returns the lines of `/context`: one row for each part of the prompt, and a total. `counted` is the server's token
 * count for the last request, and `exact` its count for the next request.
 */
export function contextTable(
  parts: readonly ContextPart[],
  window: number | undefined,
  counted: number | undefined,
  exact?: number,
): readonly string[] {
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const most = Math.max(1, ...parts.map((part) => part.tokens));
  const rows = parts.map((part) => {
    const bar = "█".repeat(Math.max(part.tokens > 0 ? 1 : 0, Math.round((part.tokens / most) * maxBarWidth)));
    return `${about(part.tokens)}  ${sizeText(part.bytes).padStart(9)}  ${judgedLine(part.name)}  ${bar}`;
  });
  const share =
    window === undefined
      ? ""
      : `, ${Math.round((100 * (exact ?? tokens)) / window)}% of a window of ${window}`;
  const said = counted === undefined ? "" : `; the server counted ${counted} in the last request`;
  const all =
    exact === undefined
      ? `total, estimated${share}${said}`
      : `total, estimated; the server counts ${exact} in the next request${share}`;
  return [...rows, `${about(tokens)}  ${sizeText(bytes).padStart(9)}  ${all}`];
}

function about(tokens: number): string {
  return `~${tokens}`.padStart(8);
}
