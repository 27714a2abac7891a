/** `localharness audit`: prints the audit log of a folder: which calls were requested, decided and run. */

import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { stateFolder } from "@localharness/harness/config/location";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { countText } from "@localharness/protocol";
import { auditFiles, auditPath } from "@localharness/store/audit/audit-file";
import { auditLine } from "@localharness/store/audit/audit-line";
import { readAudit } from "@localharness/store/audit/read-audit";
import { sinceTime } from "@localharness/store/audit/since-time";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { plainJson, visibleLine } from "../terminal/plain-text.ts";

export async function runAudit({ positionals, flags }: Invocation): Promise<number> {
  if (positionals.length > 0) throw usageError("usage: localharness audit [--since TIME] [--denied]");
  const state = stateFolder();
  if (state === undefined) {
    throw configError("there is no home folder for the audit log: set HOME or XDG_STATE_HOME");
  }
  const since = textFlag(flags, "since");
  const from = since === undefined ? 0 : sinceTime(since, Date.now());
  if (from === undefined) {
    throw usageError(`--since expects a time such as 90m, 12h, 7d or 2026-11-01, got "${since}"`);
  }
  const path = auditPath(state, realPath(textFlag(flags, "workspace") ?? "."));
  let shown = 0;
  let unreadable = 0;
  for await (const call of readAudit(auditFiles(path), () => (unreadable += 1))) {
    if (call.time < from || (flags.denied === true && call.ran)) continue;
    shown += 1;
    process.stdout.write(`${flags.json === true ? plainJson(call) : folded(visibleLine(auditLine(call)))}\n`);
  }
  if (shown === 0 && flags.json !== true) {
    process.stderr.write("the audit log of this folder has no matching calls\n");
  }
  if (unreadable > 0) {
    process.stderr.write(`! ${countText(unreadable, "line")} of the log could not be read\n`);
  }
  return exitCodes.done;
}

function realPath(folder: string): string {
  try {
    return realpathSync(resolve(folder));
  } catch {
    return resolve(folder);
  }
}
