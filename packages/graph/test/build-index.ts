/** Builds an index in a process that a test kills: prints the number of finished files after each one. */
import { openGraph } from "../src/code-graph.ts";
import { filesIn, never } from "./workspace.ts";

const [root = "", path = ""] = process.argv.slice(2);
const graph = openGraph({ path, files: filesIn(root), parsers: 2 });
const report = await graph.build(never, (done) => process.stdout.write(`${done}\n`));
process.stdout.write(`indexed ${report.indexed}\n`);
await graph.close();
