/** `/cost`: shows tokens, requests, time and money of this session. */
import { type CostReport, commandFacts, countText, timeText } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { judgedLine } from "../plain-text.ts";

export const cost: SlashCommand = {
  ...commandFacts.cost,
  async run(app) {
    app.say(costLines(await app.host.listCosts()).join("\n"));
  },
};

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
