/** Decides which rows cannot run here, and why. */
import { lentFamilies } from "./drive-lend.ts";
import type { Row } from "./row.ts";

const waiting: readonly { readonly when: (row: Row) => boolean; readonly reason: string }[] = [
  {
    when: (row) => row.area === "network" && !lentFamilies.includes(row.family),
    reason: "there is no server yet",
  },
];

/** Returns why the row does not run; undefined when it does. */
export function skipReason(row: Row): string | undefined {
  if (row.platform !== undefined && row.platform !== process.platform) {
    return `it is for ${row.platform}, this is ${process.platform}`;
  }
  if (row.skip_if === "root" && process.getuid?.() === 0) return "root may write everywhere";
  const waits = waiting.find((one) => one.when(row));
  if (waits !== undefined) return waits.reason;
  if (row.fault !== undefined && row.fault !== "ENOSPC on the session dir") {
    return `it needs an injected fault (${row.fault})`;
  }
  return row.needs === undefined ? undefined : `it needs ${JSON.stringify(row.needs)}`;
}
