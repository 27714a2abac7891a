/**
 * Fuzzes the path checks of the workspace with random paths in random trees, judged by an independent oracle:
 * `node scripts/fuzz-paths.ts [--strings N] [--seed N] [--per-tree N] [--door real-path]`.
 */
import { parseArgs } from "node:util";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { fuzzPaths } from "./fuzz-paths/run.ts";

const { values } = parseArgs({
  options: {
    strings: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    "per-tree": { type: "string", default: "2000" },
    door: { type: "string" },
  },
});

const counts = await fuzzPaths({
  strings: Number(values.strings),
  seed: Number(values.seed),
  perTree: Number(values["per-tree"]),
  ...(values.door === "real-path"
    ? { open: (root: string) => openWorkspace(root, { door: "real-path" }) }
    : {}),
});
for (const example of counts.examples) {
  console.log(example);
}
if (counts.withheld > 0) {
  console.log(`${counts.withheld} valid paths in the workspace were refused.`);
}
console.log(
  `fuzz-paths: ${counts.strings} strings, ${counts.inside} inside, ${counts.refused} refused, ${counts.escapes} escapes`,
);
process.exitCode = counts.escapes + counts.withheld === 0 ? 0 : 1;
