/** Writes what `/context` and `/cost` say: the parts of the prompt as a table, the context window, tokens, time and money. */
import { sizeText, timeText } from "../amounts.ts";
import { countText } from "../count-text.ts";
import type { ContextPart, CostReport, Host, TurnReuse, WindowReport } from "../host.ts";
import { judgedLine } from "../plain-text.ts";

const maxBarWidth = 20;

/** Returns the lines of `/context`. `used` is as `contextTable` has it. */
export async function contextLines(
  host: Pick<Host, "listContext" | "countContext" | "describeWindow">,
  used?: number,
): Promise<readonly string[]> {
  const [parts, exact, report] = await Promise.all([
    host.listContext(),
    host.countContext(),
    host.describeWindow(),
  ]);
  return [...contextTable(parts, report.window?.tokens, used, exact), ...windowLines(report)];
}

/**
 * Returns the lines of `/context`: one row for each part of the prompt, and a total. `used` has the tokens of the newest
 * request and its answer, and `exact` has the server's count for the next request.
 */
export function contextTable(
  parts: readonly ContextPart[],
  window: number | undefined,
  used: number | undefined,
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
  const said = used === undefined ? "" : `; about ${used} by the server's counts`;
  const all =
    exact === undefined
      ? `total, estimated${share}${said}`
      : `total, estimated; the server counts ${exact} in the next request${share}`;
  return [...rows, `${about(tokens)}  ${sizeText(bytes).padStart(9)}  ${all}`];
}

/** Returns the lines about the context window, and about how much of each turn's prompts the server had in its cache. */
export function windowLines({ window, turns }: WindowReport): readonly string[] {
  const known =
    window === undefined
      ? "window: unknown, the server does not say; set num_ctx or see /model"
      : `window: ${window.tokens} tokens (${window.from})`;
  return [
    known,
    "parts are estimated with 4 bytes a token; counts of turns are the server's",
    ...turns.map(turnLine),
  ];
}

function turnLine({ turnId, requests, inputTokens, cachedTokens, compactions }: TurnReuse): string {
  const share = cachedTokens === undefined ? 0 : Math.round((100 * cachedTokens) / Math.max(1, inputTokens));
  const cached =
    cachedTokens === undefined
      ? "the server does not say what it had in its cache"
      : `${cachedTokens} (${share}%) were in its cache`;
  const shortened = compactions === 0 ? "" : `; ${countText(compactions, "compaction")}`;
  const name = judgedLine(turnId.replace("-", " "));
  return `${name}: ${countText(requests, "request")}, ${inputTokens} tokens of prompts, ${cached}${shortened}`;
}

function about(tokens: number): string {
  return `~${tokens}`.padStart(8);
}

/** Returns the lines of `/cost`. */
export function costLines({ models, toolCalls, toolMs, money }: CostReport): readonly string[] {
  if (models.length === 0) return ["no requests to a model yet"];
  const lines = models.map(({ model, requests, inputTokens, cachedTokens, outputTokens, ms }) => {
    const cached = cachedTokens > 0 ? ` (${cachedTokens} from the cache)` : "";
    const asked = countText(requests, "request");
    return `${judgedLine(model)}: ${asked}, ${inputTokens} tokens in${cached}, ${outputTokens} out, ${timeText(ms)}`;
  });
  lines.push(`tools: ${countText(toolCalls, "call")}, ${timeText(toolMs)}`);
  if (money !== undefined) lines.push(`cost at your prices: ${money.toFixed(4)}`);
  return lines;
}
