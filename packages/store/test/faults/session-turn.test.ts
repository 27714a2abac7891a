/**
 * Runs a whole turn of a session, with a write that is asked about, remembered and logged, while each disk operation
 * fails in turn.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, createSession } from "@localharness/engine";
import type { SessionEvent } from "@localharness/protocol";
import { createTools, openToolResources, type ToolResources } from "@localharness/tools";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeFault, type Fault, faultsOf } from "../../../../test/faults/disk-faults.ts";
import { openFailingDisk } from "../../../../test/faults/open-failing-disk.ts";
import { call, say, scriptedModel } from "../../../engine/test/scripted-model.ts";
import { openAuditFile } from "../../src/audit/audit-file.ts";
import { openPolicyFile } from "../../src/policy-file/policy-file.ts";
import { writePolicyText } from "../../src/policy-file/policy-rules.ts";

const { folder, disk } = await openFailingDisk("disk");
const [root, config, state] = [join(folder, "ws"), join(folder, "config"), join(folder, "state")];
const auditPath = join(state, "audit", "ws.jsonl");
const [old, fresh] = ["old\n", "new\n"];
let resources: ToolResources;

beforeAll(async () => {
  mkdirSync(root);
  resources = await openToolResources({ workspace: root, stateFolder: state, privateFolders: [config] });
});
afterAll(async () => {
  await resources.close();
});

function reset(): void {
  for (const path of [config, state]) rmSync(path, { recursive: true, force: true });
  for (const name of readdirSync(root)) rmSync(join(root, name));
  writeFileSync(join(root, "f.txt"), old);
  mkdirSync(config);
  const deny = { decision: "deny", justification: "test", tool: "bash", origin: "user" } as const;
  writeFileSync(join(config, "policies.json"), writePolicyText([{ id: "no", ...deny }]), { mode: 0o600 });
}

async function turn(fault: Fault | undefined) {
  const audit = openAuditFile(auditPath);
  const events: SessionEvent[] = [];
  const ran = await disk.during(fault, async () => {
    const session = createSession({
      model: scriptedModel([call(["write_file", { path: "f.txt", content: fresh }, "w"]), say("done")]),
      registry: createRegistry(createTools(resources).filter((tool) => tool.name === "write_file")),
      systemPrompt: "You are a test.",
      workspace: root,
      policyStore: openPolicyFile(config, createWriteJournal(state)),
      audit,
      interactive: true,
    });
    session.subscribe((event) => {
      events.push(event);
      if (event.type === "permission-request") {
        session.send({ type: "permission-answer", requestId: event.request.requestId, answer: "remember" });
      }
    });
    return session.prompt("go");
  });
  await audit.close();
  return { ...ran, events };
}

/** Returns what is wrong after the fault; an empty list when nothing is. */
async function problems(events: readonly SessionEvent[], reason: string): Promise<readonly string[]> {
  const found: string[] = [];
  const results = events.filter((event) => event.type === "tool-result");
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
  if (results.length !== 1) found.push(`${results.length} results`);
  if (reason !== "done") found.push(`the turn ended: ${reason}`);
  const text = readFileSync(join(root, "f.txt"), "utf8");
  const success = results[0]?.result.success === true;
  if (text !== old && text !== fresh) found.push(`the file is ${JSON.stringify(text)}`);
  if (success && text !== fresh) found.push("success, but the file is the old one");
  const recorded = existsSync(auditPath) && readFileSync(auditPath, "utf8").includes('"type":"answer"');
  if (text === fresh && !recorded) found.push("written, but not on record");
  const { rules, incomplete } = await openPolicyFile(config, createWriteJournal(state)).load();
  if (rules[0]?.id !== "no" || incomplete === true) found.push("the rule that forbids is lost");
  if (rules.length === 1 && success && !notices.some((one) => /holds for this session only/.test(one))) {
    found.push(`not remembered, and nobody was told: ${notices.join("; ")}`);
  }
  if (rules.length > 1 && notices.some((one) => /policies\.json could not be written/.test(one))) {
    found.push("remembered, although the person was told that it was not");
  }
  return found;
}

test("one result, the file old or new, no rule lost or wider, and nothing done off the record", async () => {
  reset();
  const { events, result, operations } = await turn(undefined);
  expect(await problems(events, result.reason)).toEqual([]);
  const wrong: string[] = [];
  const faults = faultsOf(operations).filter(
    ({ code, lasting }) =>
      process.env["FAULTS"] === "all" || (lasting !== "all" && (code === "EIO" || code === "ENOSPC")),
  );
  for (const fault of faults) {
    reset();
    const after = await turn(fault);
    const found = await problems(after.events, after.result.reason);
    if (found.length > 0) wrong.push(`${describeFault(fault, operations)}: ${found.join("; ")}`);
  }
  if (process.env["FAULTS_REPORT"]) console.log("turn", operations.length, faults.length, wrong.length);
  expect(wrong).toEqual([]);
  expect(operations.length).toBeGreaterThan(40);
});
