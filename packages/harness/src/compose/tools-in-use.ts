/** Holds the tools for new sessions. The person can choose them; otherwise they change with the model. */
import { type ToolDetail, toolDetail } from "@localharness/context";
import { compactTool, createRegistry, type Tool, type ToolRegistry } from "@localharness/engine";
import { sharesOf } from "../config/limits.ts";
import type { Settings } from "../config/settings.ts";
import { chosenTools } from "../graph/offer-graph.ts";
import type { ModelInUse } from "../models/model-in-use.ts";
import { withEditForm } from "../models/model-profiles/edit-tools.ts";
import { profileInUse } from "../models/model-profiles/profile-in-use.ts";
import type { Workbench } from "./workbench.ts";

export interface ToolsInUse {
  registry: ToolRegistry;
  /** Switches to exactly these tools. Throws a `HarnessError` (`tool-unknown`) for an unknown name. */
  choose(names: readonly string[]): ToolRegistry;
  /**
   * Switches to the tools that suit the selected model, and returns them. Returns undefined, and changes nothing, if the
   * person or a setting has chosen the tools.
   */
  suit(): ToolRegistry | undefined;
}

type Bench = Pick<Workbench, "registry" | "allTools">;
type Known = Pick<ModelInUse, "selected" | "known">;

export function openToolsInUse(settings: Settings, bench: Bench, model: Known): ToolsInUse {
  const builtIn = new Set(bench.allTools.list().map(({ name }) => name));
  let isChosen = settings.values.tools !== undefined;
  const tools: ToolsInUse = {
    registry: suitedTools(settings, bench, model),
    choose(names) {
      isChosen = true;
      tools.registry = createRegistry(chosenTools(bench.allTools.list(), names));
      return tools.registry;
    },
    suit() {
      if (isChosen) return undefined;
      // Tools of MCP servers and the tool that starts agents were added later, and stay.
      const added = tools.registry.list().filter(({ name }) => !builtIn.has(name));
      const suited = suitedTools(settings, bench, model).list();
      tools.registry = createRegistry([...suited.filter(({ name }) => builtIn.has(name)), ...added]);
      return tools.registry;
    },
  };
  return tools;
}

/**
 * Returns the tools that suit the model, in as much detail as their share of the context window has room for. If the
 * settings name no tools, a model that picks wrong tools out of larger sets, or has a small window, gets the smallest set,
 * and the tools for edits have the form in which the model succeeds.
 */
function suitedTools({ values }: Settings, { registry, allTools }: Bench, model: Known): ToolRegistry {
  const { edit, toolSet } = profileInUse(model.known.tried, model.known.own);
  const set = registry.list();
  const all = allTools.list();
  const detail = detailFor(set, model.selected.contextWindow, values);
  const isNamed = values.tools !== undefined;
  if (detail === "full" && (isNamed || (edit === "text" && toolSet === "standard"))) return registry;
  if (isNamed) return createRegistry(set.map(compactTool));
  const few = detail === "minimal" || toolSet === "minimal" ? chosenTools(all, "minimal") : set;
  const fitting = withEditForm(few, all, edit);
  return createRegistry(detail === "full" ? fitting : fitting.map(compactTool));
}

/** Returns the detail in which the tools are described in this context window. */
export function detailFor(
  tools: readonly Tool[],
  window: number | undefined,
  values: Settings["values"],
): ToolDetail {
  const sizes = { full: schemaChars(tools), compact: schemaChars(tools.map(compactTool)) };
  return toolDetail(window, sizes, sharesOf(values).tools);
}

function schemaChars(tools: readonly Tool[]): number {
  return JSON.stringify(createRegistry(tools).definitions()).length;
}
