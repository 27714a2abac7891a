/**
 * Runs the program, or a part of it, on a folder of recorded cases; `rules` makes its cases itself:
 *
 *     npm run corpus -- toolcalls|bfcl [--failed] [--splits] [--family NAME]
 *     npm run corpus -- quoted
 *     npm run corpus -- rules
 *     npm run corpus -- attacks [--area A] [--case ID] [--sandbox] [--source] [--failed]
 *     npm run corpus -- templates [--family NAME] [--verbose]
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runAttacks } from "./corpus/attacks/run-attacks.ts";
import { runBfcl } from "./corpus/bfcl.ts";
import { runQuoted } from "./corpus/quoted.ts";
import { runRules } from "./corpus/rules.ts";
import { runTemplates } from "./corpus/templates/run-templates.ts";
import { runToolcalls } from "./corpus/toolcalls.ts";

const cases = { folder: "../../shared/corpus", variable: "LOCALHARNESS_CORPUS" };
/** The folder of each area's cases, and the variable that overrides it. */
const areas: { readonly [area: string]: typeof cases } = {
  toolcalls: cases,
  bfcl: cases,
  attacks: cases,
  quoted: cases,
  templates: { folder: "../../shared/templates", variable: "LOCALHARNESS_TEMPLATES" },
};

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
    verbose: { type: "boolean", default: false },
  },
});

async function main(): Promise<number> {
  const area = positionals[0];
  if (area === "rules") return runRules(values.failed);
  const place = area === undefined || !Object.hasOwn(areas, area) ? undefined : areas[area];
  if (place === undefined) {
    const known = [...Object.keys(areas), "rules"].join(", ");
    console.error(`Unknown area ${JSON.stringify(area ?? "")}. Known areas: ${known}.`);
    return 2;
  }
  const folder = process.env[place.variable] ?? resolve(import.meta.dirname, place.folder);
  if (!existsSync(folder)) {
    console.error(`There is no folder ${folder}. Set ${place.variable} to the folder of the cases.`);
    return 2;
  }
  const { failed, splits, family, verbose } = values;
  if (area === "templates") {
    return runTemplates(folder, { verbose, ...(family === undefined ? {} : { family }) });
  }
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
