/** Names the folders of the MCP programs of other authors, which `npm run conformance -- peers` installs. */
import { join } from "node:path";

/** The folder with the manifest and the lock file. */
export const peersSource = join(import.meta.dirname, "install");

const folder = join(import.meta.dirname, "..", "..", ".mcp-peers");
export const installedPeers = { folder, mark: join(folder, "installed") } as const;

/** Returns the path of a file of an installed package. */
export function peerFile(name: string, path: string): string {
  return join(folder, "node_modules", name, path);
}
