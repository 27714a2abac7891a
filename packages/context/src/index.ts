export { needsFewTools, resultChars } from "./budgets.ts";
export { compactor } from "./compactor.ts";
