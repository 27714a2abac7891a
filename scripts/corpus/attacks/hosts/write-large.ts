/** Overwrites a large file until it is killed. Prints a mark when it is ready, and begins when it gets input. */
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { createTools, openToolResources } from "@localharness/tools";

const job = JSON.parse(process.argv[2] ?? "{}");
const resources = await openToolResources({ workspace: job.ws });
const tool = createTools(resources).find((one) => one.name === "write_file");
const texts = ["A", "B"].map((letter) => letter.repeat(job.length));
// A killed process would lose its compile cache.
flushCompileCache();
process.stdout.write("!");
await once(process.stdin, "data");
for (let index = 0; tool !== undefined; index += 1) {
  const context = { callId: "call", signal: new AbortController().signal, report: () => undefined };
  await tool.execute({ path: job.path, content: texts[index % 2] ?? "" }, context);
}
