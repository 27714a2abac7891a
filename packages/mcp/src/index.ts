/** Exports the MCP client, which starts the configured servers and offers their tools, prompts and resources. */
export type { Doors, Fetch, ServerProcess, ServerStart } from "./doors.ts";
export type { KnownTools, ToolMemory } from "./servers/known-tools.ts";
export type { ServerPrompt } from "./servers/prompts.ts";
export { openServers, type Servers, type ServersParts } from "./servers/servers.ts";
