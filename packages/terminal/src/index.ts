/**
 * Exports the terminal app, which shows one session on the whole screen, its themes, and the texts of the line-by-line chat.
 */
export { contextTable, windowLines } from "./commands/context.ts";
export { costLines } from "./commands/cost.ts";
export { jobLines } from "./commands/jobs.ts";
export { serverLines } from "./commands/mcp.ts";
export { skillLines, skillRows } from "./commands/skills.ts";
export { runTerminal } from "./run-terminal.ts";
export { chooseTheme } from "./theme/choose-theme.ts";
