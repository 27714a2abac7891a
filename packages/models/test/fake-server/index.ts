/** Exports a scripted model server for tests and measurements of the whole program. */
export type {
  Fault,
  Scenario,
  ScriptedCall,
  ScriptedModel,
  ScriptedTurn,
  ToolDeltaShape,
  Wire,
} from "./scenario.ts";
export { fakeModelName } from "./scenario.ts";
export { type FakeServer, type LoggedRequest, startFakeServer } from "./server.ts";
export type { LlamaServer } from "./strict/llama-server.ts";
export { strictCatalog } from "./strict/strict-catalog.ts";
export { createStrictDesk } from "./strict/strict-desk.ts";
export type { Strictness } from "./strict/strictness.ts";
export { knownTemplate, type Rendered, takeRequest } from "./strict/take-request.ts";
export { type OwnTemplate, ownTemplates, readTemplate } from "./templates/index.ts";
