/** Exports the model adapters, the catalog of providers, the search for servers and the reader of text calls. */
export {
  findProvider,
  keyFor,
  knownKeys,
  type Provider,
  type ProviderId,
  providers,
} from "./choice/catalog.ts";
export { type Chosen, callsTools, chooseModel, type FoundChoice } from "./choice/choose-model.ts";
export { createModel, placesOf, windowOf } from "./choice/create-model.ts";
export {
  defaultPlaces,
  type FindOptions,
  type FoundModel,
  type FoundServer,
  type FoundServers,
  findServers,
  isNamed,
  ollamaOrigin,
  type PossiblePlace,
  type SilentPlace,
} from "./choice/find-servers.ts";
export type { ModelSelection, SelectedModel } from "./choice/model-selection.ts";
export type { ModelTuning } from "./choice/model-tuning.ts";
export { type OfferedModel, UnknownModel } from "./choice/unknown-model.ts";
export { createDemo, type DemoStyle, demoStyle, demoStyleNames } from "./demo/demo.ts";
export { tourPrompt } from "./demo/tour.ts";
export type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http/http.ts";
export { createNodeHttp, type NodeHttpOptions } from "./http/node-http.ts";
export type { WaitLimits } from "./http/patience.ts";
export { type DescribedProxy, describeProxies } from "./http/proxy/describe-proxies.ts";
export type { RetryPolicy } from "./http/retry.ts";
export { bareUrl, maskSecrets, secretForms } from "./http/secrets.ts";
export { type RecordedLine, type RecordOptions, recordHttp } from "./recordings/record.ts";
export { parseRecording, type Recording, readRecording, replayHttp } from "./recordings/replay.ts";
export { type Sampling, type SamplingName, samplingFields, samplingRanges } from "./request/sampling.ts";
export { askBeside, createModelQueue, type ModelQueue, takeTurns } from "./request/take-turns.ts";
export { findCalls } from "./text-calls/find-calls.ts";
export {
  type TextToolCallsOptions,
  type ToolCallMode,
  withTextToolCalls,
} from "./text-calls/with-text-tool-calls.ts";
export { createEmbeddingModel, type EmbeddingModel } from "./wire/embeddings.ts";
export { type AiSdkModel, type FromAiSdkOptions, fromAiSdk } from "./wire/from-ai-sdk.ts";
export { defaultNumCtx } from "./wire/ollama/default-num-ctx.ts";
export type { Thinking } from "./wire/ollama/request.ts";
export { loadedWindow } from "./wire/ollama/running-window.ts";
export { createOllamaChat, type OllamaChatOptions } from "./wire/ollama-chat.ts";
export { createOpenaiChat, type OpenaiChatOptions } from "./wire/openai-chat.ts";
