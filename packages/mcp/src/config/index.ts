/** Exports what reads `mcp.json`. Importing this module loads neither sockets nor processes nor the MCP library. */
export { describeEntry } from "./describe-entry.ts";
export {
  type AddressEntry,
  type CommandEntry,
  entryHash,
  entryJson,
  type OAuthEntry,
  type ReadEntries,
  readEntries,
  type ServerEntry,
} from "./entry.ts";
export { type Expanded, expandEntry, variablesIn } from "./expand.ts";
