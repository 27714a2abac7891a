/**
 * Runs the program, or a part of it, against a folder of recorded cases:
 * `npm run corpus -- toolcalls|bfcl [--failed] [--splits] [--family NAME]`, `npm run corpus -- quoted`, `npm run corpus -- attacks [--area A] [--case ID] [--sandbox] [--source] [--failed]`.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runAttacks } from "./corpus/attacks/run-attacks.ts";
import { runBfcl } from "./corpus/bfcl.ts";
import { runQuoted } from "./corpus/quoted.ts";
import { runToolcalls } from "./corpus/toolcalls.ts";

const areas: readonly (string | undefined)[] = ["toolcalls", "bfcl", "attacks", "quoted"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    failed: { type: "boolean", default: false },
    splits: { type: "boolean", default: false },
    family: { type: "string" },
    area: { type: "string" },
    case: { type: "string" },
    source: { type: "boolean", default: false },
    sandbox: { type: "boolean", default: false },
  },
});

async function main(): Promise<number> {
  const area = positionals[0];
  if (!areas.includes(area)) {
    console.error(`Unknown area ${JSON.stringify(area ?? "")}. Known areas: ${areas.join(", ")}.`);
    return 2;
  }
  const folder = process.env["LOCALHARNESS_CORPUS"] ?? resolve(import.meta.dirname, "../../shared/corpus");
  if (!existsSync(folder)) {
    console.error(
      `There is no folder ${folder}. Set LOCALHARNESS_CORPUS to the folder that holds the cases.`,
    );
    return 2;
  }
  const { failed, splits, family } = values;
  if (area === "attacks") {
    const only = values.area === undefined ? {} : { area: values.area };
    return runAttacks(folder, {
      failed,
      source: values.source,
      sandbox: values.sandbox ? "auto" : "off",
      ...only,
      ...(values.case === undefined ? {} : { id: values.case }),
    });
  }
  if (area === "quoted") return runQuoted(folder);
  const options = { failed, splits, ...(family === undefined ? {} : { family }) };
  return area === "bfcl" ? runBfcl(folder, options) : runToolcalls(folder, options);
}

process.exitCode = await main();
