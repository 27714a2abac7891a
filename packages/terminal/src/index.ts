/** Exports the terminal app, which shows one session on the whole screen, its themes, and `/diff` of the line chat. */
export { plainChangeLines } from "./commands/changes.ts";
export { runTerminal } from "./run-terminal.ts";
export { chooseTheme } from "./theme/choose-theme.ts";
