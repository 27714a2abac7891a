export { needsFewTools, resultChars } from "./budgets.ts";
export { compactor } from "./compactor.ts";
export { outlineCurator } from "./curator/outline.ts";
