/** Which tools are on offer: switched for the session that runs from its next turn on, and kept for later ones. */
import type { Session } from "@localharness/engine";
import type { ToolChoice } from "@localharness/terminal";
import { usageError } from "../complaints.ts";
import type { Composition } from "../compose.ts";
import { changeConfig } from "../config/change-config.ts";

type Tools = Pick<Composition, "registry" | "allTools" | "chooseTools" | "journal">;

export function listToolChoices({ registry, allTools }: Tools): readonly ToolChoice[] {
  const on = new Set(registry.list().map((tool) => tool.name));
  return allTools.list().map(({ name, description, risk }) => ({
    name,
    about: description.split("\n")[0] ?? "",
    risk: typeof risk === "string" ? risk : "depends on the call",
    on: on.has(name),
  }));
}

/** Holds for this session also when it cannot be kept: then it rejects with why. */
export async function switchTool(
  tools: Tools,
  session: Session,
  folder: string | undefined,
  name: string,
  on: boolean,
): Promise<void> {
  const found = tools.allTools.find(name)?.tool;
  if (found === undefined) throw usageError(tools.allTools.unknownToolMessage(name));
  const others = tools.registry
    .list()
    .map((tool) => tool.name)
    .filter((one) => one !== found.name);
  const names = on ? [...others, found.name] : others;
  if (names.length === 0) throw usageError("at least one tool has to stay on");
  const registry = tools.chooseTools(names);
  session.useTools(registry);
  const kept = registry.list().map((tool) => tool.name);
  await changeConfig(folder, tools.journal, "tools", kept);
}
