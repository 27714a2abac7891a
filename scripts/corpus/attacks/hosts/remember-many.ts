/**
 * Saves many rules one after another, as one of several processes that do so at once, or as one that is killed. Prints the
 * id of each rule after it is saved.
 */
import { writeSync } from "node:fs";
import { openWorkbench } from "localharness";

const job = JSON.parse(process.argv[2] ?? "{}");
const bench = await openWorkbench({ values: {}, origins: {}, folder: job.folder }, job.ws, "all");
for (let index = 0; index < job.rules; index += 1) {
  await bench.policyStore.add({
    id: `remember:${job.number}-${index}`,
    decision: "allow",
    justification: "you chose Remember",
    tool: "bash",
    workspace: bench.workspace,
    scope: `echo ${job.number} ${index}`,
  });
  writeSync(1, `remember:${job.number}-${index}\n`);
}
await bench.close();
