/** Adds the session's own tools to those of its registry: the tool that presents a plan, and the one that asks the person. */
import { createPlanTool, type PlanDesk, planToolName } from "../plan/plan-tool.ts";
import { createQuestionTool, questionToolName } from "../questions/question-tool.ts";
import { createRegistry, type ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
import type { SessionOptions } from "./session-options.ts";

type Wanted = Pick<SessionOptions, "plans" | "questions" | "interactive" | "answersServers">;

/** Returns the tools with those that the options ask for. A tool of the registry with the same name stays as it is. */
export function withOwnTools(registry: ToolRegistry, options: Wanted, plans: PlanDesk): ToolRegistry {
  const { interactive, answersServers = interactive, questions = false } = options;
  if (options.plans !== true && questions === false) return registry;
  const tools = registry.list();
  const isFree = (name: string) => tools.every((tool) => tool.name !== name);
  const own: Tool[] = [];
  if (options.plans === true && isFree(planToolName)) own.push(createPlanTool(plans));
  if (questions !== false && isFree(questionToolName)) {
    const isOffered = () => answersServers && (questions === true || questions());
    own.push(createQuestionTool(() => !isOffered()));
  }
  return own.length === 0 ? registry : createRegistry([...tools, ...own]);
}
