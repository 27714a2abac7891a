/** `/mcp`: shows the MCP servers, their state, their tools, and what they logged last. */
import { commandFacts, type Host } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { screenLine } from "../plain-text.ts";

const empty = "there are no MCP servers: localharness mcp add NAME -- COMMAND adds one";
const shownLogs = 3;

export const mcp: SlashCommand = {
  ...commandFacts.mcp,
  async run(app) {
    const lines = await serverLines(app.host);
    app.say(lines.map(screenLine).join("\n"));
  },
};

/** Returns the lines that answer `/mcp`. The caller must clean them. */
export async function serverLines(host: Pick<Host, "listServers">): Promise<readonly string[]> {
  const servers = await host.listServers();
  if (servers.length === 0) return [empty];
  return servers.flatMap(({ name, state, tools, problems, logs }) => [
    `${name}  ${state}`,
    ...(tools.length === 0 ? [] : [`  tools: ${tools.join(", ")}`]),
    ...problems.map((problem) => `  ! ${problem}`),
    ...logs.slice(-shownLogs).map((log) => `  log: ${log}`),
  ]);
}
