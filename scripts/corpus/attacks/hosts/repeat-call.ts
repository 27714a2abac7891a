/** Makes one call many times through validation, policy, permission and executor, and counts the results. */
import { runToolCall } from "@localharness/engine";
import { openWorkbench } from "localharness";

const job = JSON.parse(process.argv[2] ?? "{}");
const bench = await openWorkbench({ values: {}, origins: {}, folder: job.folder }, job.ws, "all");
const counts = { succeeded: 0, refused: 0, leaked: 0 };
for (let index = 0; index < job.times; index += 1) {
  const result = await runToolCall({
    registry: bench.registry,
    name: job.tool,
    arguments: job.arguments,
    workspace: bench.workspace,
    policyStore: bench.policyStore,
    answer: () => Promise.resolve("once"),
  });
  if (result.success) counts.succeeded += 1;
  else counts.refused += 1;
  if (JSON.stringify(result).includes(job.unwanted)) counts.leaked += 1;
}
await bench.close();
process.stdout.write(JSON.stringify(counts));
