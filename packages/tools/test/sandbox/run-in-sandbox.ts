/** A program for tests: runs a command in the sandbox and prints its output. Arguments: workspace, state folder, command. */
import { openToolResources } from "../../src/resources/resources.ts";
import { bash } from "../../src/tools/bash.ts";

const [workspace = "", stateFolder = "", command = ""] = process.argv.slice(2);
const resources = await openToolResources({ workspace, stateFolder, sandbox: { mode: "require" } });
const context = { callId: "c", signal: AbortSignal.timeout(30_000), report: () => undefined };
const ran = await bash(resources).execute({ command }, context);
process.stdout.write(ran.ok ? ran.data : ran.message);
await resources.close();
