/** Exports the model adapters, the catalog of providers, the search for servers and the reader of text calls. */
export { findProvider, keyFor, knownKeys, type Provider, type ProviderId, providers } from "./catalog.ts";
export { type Choice, type Chosen, chooseModel } from "./choose-model.ts";
export { createModel, placesOf, windowOf } from "./create-model.ts";
export { createDemo, type DemoStyle, demoStyle, demoStyleNames } from "./demo/demo.ts";
export { tourPrompt } from "./demo/tour.ts";
export { createEmbeddingModel, type EmbeddingModel } from "./embeddings.ts";
export {
  defaultPlaces,
  type FindOptions,
  type FoundModel,
  type FoundServer,
  type FoundServers,
  findServers,
  isNamed,
  ollamaOrigin,
  type Place,
  type SilentPlace,
} from "./find-servers.ts";
export { type AiSdkModel, type FromAiSdkOptions, fromAiSdk } from "./from-ai-sdk.ts";
export type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http/http.ts";
export { createNodeHttp, type NodeHttpOptions } from "./http/node-http.ts";
export type { Limits } from "./http/patience.ts";
export type { RetryPolicy } from "./http/retry.ts";
export { bareUrl, maskSecrets, secretForms } from "./http/secrets.ts";
export type { ModelSelection, SelectedModel } from "./model-selection.ts";
export type { ModelTuning } from "./model-tuning.ts";
export { defaultNumCtx } from "./ollama/default-num-ctx.ts";
export type { Thinking } from "./ollama/request.ts";
export { createOllamaChat, type OllamaChatOptions } from "./ollama-chat.ts";
export { createOpenaiChat, type OpenaiChatOptions } from "./openai-chat.ts";
export { type RecordedLine, type RecordOptions, recordHttp } from "./record.ts";
export { parseRecording, type Recording, readRecording, replayHttp } from "./replay.ts";
export { type Sampling, type SamplingName, samplingFields, samplingRanges } from "./sampling.ts";
export { askBeside, createModelQueue, type ModelQueue, takeTurns } from "./take-turns.ts";
export { findCalls } from "./text-calls/find-calls.ts";
export { type OfferedModel, UnknownModel } from "./unknown-model.ts";
export { type TextToolCallsOptions, type ToolCallMode, withTextToolCalls } from "./with-text-tool-calls.ts";
