/** The program as a library: its wiring, for programs that want the same tools, models and policies. */
export { type Composition, compose, openWorkbench, type Workbench } from "./compose.ts";
export type { ConfigKey, ConfigValues } from "./config/fields.ts";
export { loadSettings, type Settings } from "./config/settings.ts";
export { main } from "./main.ts";
export type { ModelFiles } from "./select-model.ts";
export {
  type EarlierSession,
  type ExportFormat,
  type ForkedSession,
  type KeptSessions,
  openKeptSessions,
  type ShownSession,
} from "./sessions/kept-sessions.ts";
export { systemPrompt } from "./system-prompt.ts";
export { version } from "./version.ts";
