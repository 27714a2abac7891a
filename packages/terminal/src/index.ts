/** The terminal app: one session on a whole screen. */
export type { App, Dialog, SlashCommand } from "./app.ts";
export { contextTable } from "./commands/context.ts";
export { costLines } from "./commands/cost.ts";
export type * from "./host.ts";
export type { SessionLink } from "./link.ts";
export type { ScreenFacts } from "./open-app.ts";
export { runTerminal, type TerminalEnd, type TerminalOptions } from "./run-terminal.ts";
export { chooseTheme, isThemeName, type ThemeName } from "./theme/choose-theme.ts";
export { createTheme, type StyleName, type StyleTable, type Theme } from "./theme/theme.ts";
