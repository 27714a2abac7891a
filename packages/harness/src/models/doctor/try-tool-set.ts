/** Finds the largest set of tools out of which a model picks the right one. */
import type { Model, Tool, ToolRegistry } from "@localharness/engine";
import { chosenTools } from "../../graph/offer-graph.ts";
import type { ToolSet } from "../model-profiles/tried-profile.ts";
import type { Put } from "./ask.ts";

const task = "Which files are in the folder src? Use one of your tools to find out.";
/** The tools with which the task can be done. */
const right: ReadonlySet<string> = new Set(["ls", "get_file_tree", "bash", "grep_search"]);

/**
 * Returns the set; `none` if the model picks a wrong tool even out of the smallest set; undefined if an answer came too late or
 * the server failed. A set that is too long for the context window counts as one out of which the model picks a wrong tool.
 */
export async function tryToolSet(
  model: Model,
  tools: Pick<ToolRegistry, "list" | "definitions" | "validateInput">,
  sets: readonly ToolSet[],
  put: Put,
): Promise<ToolSet | "none" | undefined> {
  for (const set of sets) {
    const names = new Set(chosenTools(tools.list() as readonly Tool[], set).map(({ name }) => name));
    const answer = await put(
      model,
      task,
      tools.definitions().filter(({ name }) => names.has(name)),
    );
    const [call] = answer.calls;
    if (call !== undefined && right.has(call.name) && tools.validateInput(call.name, call.arguments).ok) {
      return set;
    }
    if (answer.failure !== undefined && !answer.tooLong) return undefined;
  }
  return "none";
}
