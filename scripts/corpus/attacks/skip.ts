/** Decides which rows cannot run here, and why. */
import { existsSync } from "node:fs";
import { browserPath } from "./drive-page.ts";
import type { Row } from "./row.ts";

/** Returns why the row does not run; undefined when it does. */
export function skipReason(row: Row): string | undefined {
  if (row.platform !== undefined && row.platform !== process.platform) {
    return `it is for ${row.platform}, this is ${process.platform}`;
  }
  if (row.skip_if === "root" && process.getuid?.() === 0) return "root may write everywhere";
  if (row.fault !== undefined && (row.tool !== "chat" || row.fault !== "ENOSPC on the session dir")) {
    return `it needs an injected fault (${row.fault})`;
  }
  if (row.area === "network" && row.needs === "browser or DOM test") {
    return existsSync(browserPath) ? undefined : `there is no ${browserPath}`;
  }
  return row.needs === undefined ? undefined : `it needs ${JSON.stringify(row.needs)}`;
}
