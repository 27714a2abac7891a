export {
  defaultShares,
  resultChars,
  shareChars,
  type ToolDetail,
  toolDetail,
  type WindowShares,
} from "./budgets.ts";
export { compactor } from "./compactor.ts";
export { type CurationCache, createModelCurator } from "./curator/model-curator.ts";
export { outlineCurator } from "./curator/outline.ts";
export { outputSummarizer } from "./curator/summarize-output.ts";
