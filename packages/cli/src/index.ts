/** Exports the program as a library, for programs that want the same tools, models and policies. */
export { type Composition, compose } from "@localharness/harness/compose";
export type { ConfigKey, ConfigValues } from "@localharness/harness/config/fields";
export { loadSettings, type Settings } from "@localharness/harness/config/settings";
export type { ModelFiles } from "@localharness/harness/select-model";
export { systemPrompt } from "@localharness/harness/system-prompt";
export { version } from "@localharness/harness/version";
export { openWorkbench, type Workbench } from "@localharness/harness/workbench";
export {
  type EarlierSession,
  type ExportFormat,
  type ForkedSession,
  type KeptSessions,
  openKeptSessions,
  type ShownSession,
} from "@localharness/store/sessions/kept-sessions";
export { main } from "./main.ts";
