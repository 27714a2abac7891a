/** Exports the built-in tools, and what opens the resources that they share. */

export { createDiagnostics } from "./diagnostics/diagnostics.ts";
export { cutResult } from "./parts/cut-result.ts";
export {
  maxResultChars,
  openToolResources,
  type ToolResources,
  type ToolResourcesOptions,
} from "./resources/resources.ts";
export { readChoice } from "./tool-choice.ts";
export { createTools, type ToolSetName, toolSet, toolSetNames } from "./tool-sets.ts";
export { type ReadSkillOptions, readSkill, type SkillShelf } from "./tools/read-skill.ts";
export { type Agent, type RunAgentOptions, runAgent } from "./tools/run-agent.ts";
export type { SearchService, WebParts } from "./web/web-parts.ts";
export { wholeFileTool, wholeListTool } from "./whole-files.ts";
