export { defaultShares, resultChars, shareChars, toolDetail, type WindowShares } from "./budgets.ts";
export { compactor } from "./compactor.ts";
export { type CurationCache, createModelCurator } from "./curator/model-curator.ts";
export { outlineCurator } from "./curator/outline.ts";
