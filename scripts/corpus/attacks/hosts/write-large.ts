/** Writes a large file over an old one, again and again, until it is killed. Prints a mark when it is ready, begins at a word. */
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { createTools, openToolResources } from "@localharness/tools";

const job = JSON.parse(process.argv[2] ?? "{}");
const resources = await openToolResources({ workspace: job.ws });
const tool = createTools(resources).find((one) => one.name === "write_file");
const texts = ["A", "B"].map((letter) => letter.repeat(job.length));
// A process that is killed keeps nothing of what it compiled.
flushCompileCache();
process.stdout.write("!");
await once(process.stdin, "data");
for (let index = 0; tool !== undefined; index++) {
  const context = { callId: "call", signal: new AbortController().signal, report: () => undefined };
  await tool.execute({ path: job.path, content: texts[index % 2] ?? "" }, context);
}
