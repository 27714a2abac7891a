/** Runs a part of the program against a folder of recorded cases: `npm run corpus -- toolcalls|bfcl [--failed] [--splits] [--family NAME]`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runBfcl } from "./corpus/bfcl.ts";
import { runToolcalls } from "./corpus/toolcalls.ts";

const areas: readonly (string | undefined)[] = ["toolcalls", "bfcl"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    failed: { type: "boolean", default: false },
    splits: { type: "boolean", default: false },
    family: { type: "string" },
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
  const options = { failed, splits, ...(family === undefined ? {} : { family }) };
  return area === "bfcl" ? runBfcl(folder, options) : runToolcalls(folder, options);
}

process.exitCode = await main();
