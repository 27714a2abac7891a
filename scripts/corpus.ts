/** Runs a part of the program against a folder of recorded cases: `npm run corpus -- toolcalls [--failed] [--splits] [--family NAME]`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runToolcalls } from "./corpus/toolcalls.ts";

const areas = ["toolcalls"] as const;

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
  if (area !== "toolcalls") {
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
  return runToolcalls(folder, {
    failed: values.failed,
    splits: values.splits,
    ...(values.family === undefined ? {} : { family: values.family }),
  });
}

process.exitCode = await main();
