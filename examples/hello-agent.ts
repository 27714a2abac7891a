/**
 * The smallest agent: a model, tools for a folder, a session. Reads run; other calls are denied, because nobody is asked.
 * Run it: node examples/hello-agent.ts ["message"]
 */
import { createRegistry, createSession } from "@localharness/engine";
import { createModel } from "@localharness/models";
import { createTools, openToolResources, toolSet } from "@localharness/tools";

const resources = await openToolResources({ workspace: process.cwd() });
// Without a provider and a model, servers on this machine are searched; the model `demo` needs no server.
const { model } = await createModel({
  model: process.env["HELLO_MODEL"] ?? "demo",
  environment: process.env,
});
const session = createSession({
  model,
  registry: createRegistry(toolSet(createTools(resources), "minimal")),
  systemPrompt: "You are a helpful assistant with tools. Answer in a few sentences.",
  workspace: resources.workspace.root,
  interactive: false,
});

session.subscribe((event) => {
  if (event.type === "text-delta") process.stdout.write(event.text);
  if (event.type === "tool-result") process.stderr.write(`\n${event.display}\n`);
});
const end = await session.prompt(process.argv[2] ?? "List the files of this folder.");
process.stdout.write("\n");
process.stderr.write(`turn ended: ${end.reason}\n`);
await resources.close();
