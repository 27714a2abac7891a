/** The terminal app: one session on a whole screen. */
export { contextTable } from "./commands/context.ts";
export { costLines } from "./commands/cost.ts";
export { createTaskList, taskLines } from "./panels/task-list.ts";
export { runTerminal } from "./run-terminal.ts";
export { chooseTheme } from "./theme/choose-theme.ts";
