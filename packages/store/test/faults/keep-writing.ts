/** Adds and removes rules, adds audit entries, and prints each change once saved: `keep-writing.ts FOLDER ROUND [COUNT]`. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { takeCountedSteps } from "../../../../test/faults/kill-at-step.ts";
import { openAuditFile } from "../../src/audit/audit-file.ts";
import { openPolicyFile } from "../../src/policy-file/policy-file.ts";

const [folder = "", round = "0", count = "Infinity"] = process.argv.slice(2);
await takeCountedSteps();
const store = openPolicyFile(join(folder, "config"), createWriteJournal(join(folder, "state")));
const audit = openAuditFile(join(folder, "audit.jsonl"), { fileLimit: 4_000 });
for (let number = 0; number < Number(count); number += 1) {
  const id = `${round}-${number}`;
  await store.add({ id, decision: "allow", justification: "test", tool: "ls", origin: "user" });
  writeSync(1, `rule ${id}\n`);
  await audit.append({ type: "answer", time: 1, session: "s", call: id, answer: "once", by: "person" });
  writeSync(1, `entry ${id}\n`);
  if (number > 0) await store.forget(`${round}-${number - 1}`);
  writeSync(1, `forgotten ${round}-${number - 1}\n`);
}
