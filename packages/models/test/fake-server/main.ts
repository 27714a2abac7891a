/** Runs the scripted server as a process: `node main.ts --scenario FILE [--port N]`. Prints `LISTEN port`. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Scenario } from "./scenario.ts";
import { startFakeServer } from "./server.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, scenario: { type: "string" } },
});
const scenario: Scenario =
  values.scenario === undefined
    ? { turns: [{ text: "hello" }] }
    : JSON.parse(readFileSync(values.scenario, "utf8"));
const server = await startFakeServer(scenario, Number(values.port));
process.stdout.write(`LISTEN ${server.port}\n`);
