/** Lists the tools, and switches a tool on or off. */
import { join } from "node:path";
import type { Session } from "@localharness/engine";
import { usageError } from "@localharness/engine";
import type { ToolChoice, ToolScope } from "@localharness/protocol";
import { toolSet } from "@localharness/tools";
import type { Composition } from "../compose.ts";
import { changeConfig } from "../config/change-config.ts";
import { readConfigFile } from "../config/config-file.ts";
import { defaultTools } from "../config/fields.ts";
import type { Settings } from "../config/settings.ts";

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

interface ToolSwitch {
  readonly name: string;
  readonly on: boolean;
}

/** Switches a tool in the current session from its next turn on, and with scope `kept` in later sessions. */
export type SwitchTool = (name: string, on: boolean, scope: ToolScope) => Promise<void>;

/**
 * Returns the function that switches tools of a host. If a change cannot be saved, it still applies to this session, and
 * the function rejects with the reason.
 */
export function createToolSwitch(tools: Tools, session: () => Session, settings: Settings): SwitchTool {
  /** For each tool that was switched for this host only: whether it was on before. */
  const before = new Map<string, boolean>();
  return async (name, on, scope) => {
    const found = tools.allTools.find(name)?.tool;
    if (found === undefined) throw usageError(tools.allTools.unknownToolMessage(name));
    const wanted: ToolSwitch = { name: found.name, on };
    const names = tools.registry.list().map((tool) => tool.name);
    const registry = tools.chooseTools(switched(names, wanted));
    session().useTools(registry);
    if (scope === "session") {
      if (!before.has(found.name)) before.set(found.name, names.includes(found.name));
      return;
    }
    before.delete(found.name);
    const { folder, origins } = settings;
    // A choice by an option or a variable holds for this run only, so it is not saved.
    const ofRun = origins.tools !== undefined && origins.tools !== "config.json";
    const kept = ofRun
      ? switched(await keptTools(tools, folder), wanted)
      : withStates(
          registry.list().map((tool) => tool.name),
          before,
        );
    await changeConfig(folder, tools.journal, "tools", kept.filter(isBuiltIn));
  };
}

/** Returns the names with each tool of `states` on or off as it says there. */
function withStates(names: readonly string[], states: ReadonlyMap<string, boolean>): readonly string[] {
  const on = [...states].flatMap(([name, isOn]) => (isOn && !names.includes(name) ? [name] : []));
  return [...names.filter((name) => states.get(name) !== false), ...on];
}

/**
 * Returns false for a tool that is offered only while MCP servers run: a tool of a server, or a tool for their
 * resources and for finding tools.
 */
function isBuiltIn(name: string): boolean {
  return !name.includes("__") && !ofServers.includes(name);
}

const ofServers: readonly string[] = ["find_tools", "list_resources", "read_resource"];

function switched(names: readonly string[], { name, on }: ToolSwitch): readonly string[] {
  const others = names.filter((one) => one !== name);
  const all = on ? [...others, name] : others;
  if (all.length === 0) throw usageError("at least one tool must stay on");
  return all;
}

/** Returns the tools that a start without options would use. */
async function keptTools({ allTools }: Tools, folder: string | undefined): Promise<readonly string[]> {
  const file = folder === undefined ? {} : await readConfigFile(join(folder, "config.json"));
  const choice = file.tools ?? defaultTools;
  if (typeof choice !== "string") return choice;
  return toolSet(allTools.list(), choice).map((tool) => tool.name);
}
