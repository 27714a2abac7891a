/** `localharness skills list`: lists the skills that can be used in this folder, with warnings about their files. */

import { usageError } from "@localharness/engine";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { summarizeSkills } from "@localharness/harness/skills/list-skills";
import { loadSkills } from "@localharness/harness/skills/load-skills";
import { openWorkbench } from "@localharness/harness/workbench";
import { skillLines } from "@localharness/protocol/command-texts";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { plainJson, visibleLine, visibleLines } from "../terminal/plain-text.ts";

export async function runSkills({ positionals: [action, ...more], flags }: Invocation): Promise<number> {
  if ((action ?? "list") !== "list" || more.length > 0) throw usageError("usage: localharness skills list");
  const settings = await loadSettings(flags);
  const bench = await openWorkbench(settings, textFlag(flags, "workspace"), "all");
  try {
    const { trusted } = await bench.trustStore.find(bench.workspace);
    const loaded = await loadSkills(settings.folder, trusted === true ? bench.files : undefined);
    const list = { skills: summarizeSkills(loaded.skills), problems: loaded.warnings };
    if (flags.json === true) process.stdout.write(`${plainJson(list.skills)}\n`);
    else {
      for (const line of skillLines({ ...list, problems: [] })) {
        process.stdout.write(folded(`${visibleLine(line)}\n`));
      }
    }
    for (const problem of list.problems) process.stderr.write(`! ${visibleLines(problem)}\n`);
    return exitCodes.done;
  } finally {
    await bench.close();
  }
}
