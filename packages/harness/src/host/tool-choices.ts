/** Lists the tools, and switches a tool on or off. */
import { join } from "node:path";
import type { Session } from "@localharness/engine";
import { type Tool, usageError } from "@localharness/engine";
import { defined, type PermissionMode, type ToolChoice, type ToolScope } from "@localharness/protocol";
import type { Composition } from "../compose/compose.ts";
import { isLate, wantsLate, withoutLate } from "../compose/late-tools.ts";
import { changeConfig } from "../config/change-config.ts";
import { readConfigFile } from "../config/config-file.ts";
import { defaultTools } from "../config/fields.ts";
import type { Settings } from "../config/settings.ts";
import { chosenTools } from "../graph/offer-graph.ts";
import { isOfServers } from "../mcp/tools-of-servers.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";

type Tools = Pick<Composition, "registry" | "allTools" | "chooseTools" | "journal">;

/** What limits the calls of a session besides the choice of tools. */
export interface SessionLimits {
  readonly trust: Trust;
  readonly mode: PermissionMode;
}

export function listToolChoices(
  { registry, allTools }: Pick<Tools, "registry" | "allTools">,
  limits: SessionLimits,
): readonly ToolChoice[] {
  const on = new Set(registry.list().map((tool) => tool.name));
  return allTools.list().map((tool) => ({
    name: tool.name,
    about: tool.description.split("\n")[0] ?? "",
    risk: typeof tool.risk === "string" ? tool.risk : "depends on the call",
    on: on.has(tool.name),
    ...defined({ blocked: on.has(tool.name) ? whyBlocked(tool, limits) : undefined }),
  }));
}

function whyBlocked({ readOnly, risk }: Tool, { trust, mode }: SessionLimits): string | undefined {
  if (readOnly) return undefined;
  if (trust === "reading") return "off here: folder not trusted; /trust yes, then /clear";
  if (mode === "plan" && risk !== "safe") return "off in mode plan: it may change something";
  return undefined;
}

interface ToolSwitch {
  readonly name: string;
  readonly on: boolean;
}

/** Switches a tool in the current session from its next turn on, and with scope `kept` in later sessions. */
export type SwitchTool = (name: string, on: boolean, scope: ToolScope) => Promise<void>;

/**
 * Returns the function that switches tools of a host. It rejects with a `HarnessError` for an unknown tool, and if no tool
 * would stay on. If a change cannot be saved, it still applies to this session, and the function rejects with the reason.
 */
export function createToolSwitch(tools: Tools, session: () => Session, { folder }: Settings): SwitchTool {
  return async (name, on, scope) => {
    const found = tools.allTools.find(name)?.tool;
    if (found === undefined) throw usageError(tools.allTools.unknownToolMessage(name));
    const wanted: ToolSwitch = { name: found.name, on };
    const names = tools.registry.list().map((tool) => tool.name);
    session().useTools(tools.chooseTools(switched(names, wanted)));
    if (scope === "session" || isOfServers(found.name)) return;
    await changeConfig(folder, tools.journal, "tools", await keptChoice(tools, folder, wanted));
  };
}

function switched(names: readonly string[], { name, on }: ToolSwitch): readonly string[] {
  const others = names.filter((one) => one !== name);
  const all = on ? [...others, name] : others;
  if (all.length === 0) throw usageError("at least one tool must stay on");
  return all;
}

/**
 * Returns the value of `tools` for config.json after the switch: the earlier value with the tool added or taken out. The
 * name of a tool set stays, so that the person gets the tools of later versions. Undefined if the value is the default.
 */
async function keptChoice(
  { allTools }: Tools,
  folder: string | undefined,
  { name, on }: ToolSwitch,
): Promise<string | string[] | undefined> {
  const file = folder === undefined ? {} : await readConfigFile(join(folder, "config.json"));
  const before = [file.tools ?? defaultTools].flat();
  const without = before.filter((one) => one !== name && one !== `-${name}`);
  const isIn = isLate(name)
    ? wantsLate(name, without) !== "no"
    : chosenTools(allTools.list(), withoutLate(without)).some((tool) => tool.name === name);
  const kept = isIn === on ? without : [...without, on ? name : `-${name}`];
  if (kept.length !== 1) return kept;
  return kept[0] === defaultTools ? undefined : kept[0];
}
