/**
 * Gives the MCP client the functions that it needs from other packages: to run processes, open sockets, and cut
 * results.
 */
import type { Doors, Fetch } from "@localharness/mcp";
import { cutResult, runServer, type ToolResources } from "@localharness/tools";

export function mcpDoors(resources: ToolResources): Doors {
  return {
    start: (request) => runServer(resources, request),
    fetch: lazyFetch(),
    cut: (text) => cutResult(resources, text),
  };
}

/** Returns a `fetch` that loads the code for sockets at its first request. */
function lazyFetch(): Fetch {
  let door: Promise<Fetch> | undefined;
  return async (url, init) => {
    door ??= import("@localharness/models/fetch-door").then(({ createFetchDoor }) => createFetchDoor().fetch);
    return (await door)(url, init);
  };
}
