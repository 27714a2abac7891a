/** `localharness agents`: lists the agents that can be given tasks in this folder, with warnings about their files. */

import { usageError } from "@localharness/engine";
import { type LoadedAgent, loadAgents, unknownTools } from "@localharness/harness/agents/load-agents";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { openWorkbench } from "@localharness/harness/workbench";
import { countText } from "@localharness/protocol";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { plainJson, visibleLine, visibleLines } from "../terminal/plain-text.ts";

export async function runAgents({ positionals, flags }: Invocation): Promise<number> {
  if (positionals.length > 0) throw usageError("usage: localharness agents");
  const settings = await loadSettings(flags);
  const bench = await openWorkbench(settings, textFlag(flags, "workspace"), "all");
  try {
    const { trusted } = await bench.trustStore.find(bench.workspace);
    const { agents, warnings } = await loadAgents(
      settings.folder,
      trusted === true ? bench.files : undefined,
    );
    if (flags.json === true) process.stdout.write(`${plainJson(agents)}\n`);
    else for (const agent of agents) process.stdout.write(folded(`${visibleLine(agentLine(agent))}\n`));
    const known = bench.allTools.list().map((tool) => tool.name);
    for (const warning of [...warnings, ...agents.flatMap((agent) => unknownTools(agent, known))])
      process.stderr.write(`! ${visibleLines(warning)}\n`);
    return exitCodes.done;
  } finally {
    await bench.close();
  }
}

function agentLine({ name, origin, description, tools, model, mode, iterations }: LoadedAgent): string {
  const facts = [
    origin,
    `tools ${tools === undefined ? "that only read" : tools.join(", ") || "none"}`,
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(mode === undefined ? [] : [`mode ${mode}`]),
    ...(iterations === undefined ? [] : [`at most ${countText(iterations, "iteration")}`]),
  ];
  return `${name.padEnd(16)} ${description}  (${facts.join("; ")})`;
}
