/**
 * Gives the MCP client the functions that it needs from other packages: to run processes, open sockets, and cut
 * results.
 */
import type { Doors, Fetch } from "@localharness/mcp";
import { runServer } from "@localharness/processes/helpers/run-server";
import { cutResult, type ToolResources } from "@localharness/tools";

export function mcpDoors(resources: ToolResources): Doors {
  const fetch = lazyFetch(false);
  const publicFetch = lazyFetch(true);
  return {
    start: (request) => runServer(resources, request),
    fetch,
    async fetchNamedBy(serverUrl) {
      const { isPublic } = await import("@localharness/models/fetch-door");
      return (await isPublic(serverUrl)) ? publicFetch : fetch;
    },
    cut: (text) => cutResult(resources, text),
  };
}

/** Returns a `fetch` that loads the code for sockets at its first request. `publicOnly` refuses private addresses. */
function lazyFetch(publicOnly: boolean): Fetch {
  let door: Promise<Fetch> | undefined;
  return async (url, init) => {
    door ??= import("@localharness/models/fetch-door").then(
      ({ createFetchDoor }) => createFetchDoor({ publicOnly }).fetch,
    );
    return (await door)(url, init);
  };
}
