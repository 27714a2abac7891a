/** Gives the MCP client what it needs of the other packages: processes, sockets, and the cutting of results. */
import type { Doors, Fetch } from "@localharness/mcp";
import { cutResult, runServer, type ToolResources } from "@localharness/tools";

export function mcpDoors(resources: ToolResources): Doors {
  return {
    start: (request) => runServer(resources, request),
    fetch: lazyFetch(),
    cut: (text) => cutResult(resources, text),
  };
}

/** Loads the code of the sockets at the first request. */
function lazyFetch(): Fetch {
  let door: Promise<Fetch> | undefined;
  return async (url, init) => {
    door ??= import("@localharness/models/fetch-door").then(({ createFetchDoor }) => createFetchDoor().fetch);
    return (await door)(url, init);
  };
}
