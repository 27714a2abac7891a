/** Contains the checks for rows about our MCP server. */
import { RowError } from "../row-error.ts";
import type { Checks } from "./check.ts";

export const mcpServerChecks: Checks = {
  no_cross_talk(seen) {
    const { crossTalk } = seen.found;
    if (typeof crossTalk !== "boolean") {
      throw new RowError("no_cross_talk: no driver has two clients for this row");
    }
    return crossTalk ? "a client got an answer that is not its own" : undefined;
  },
};
