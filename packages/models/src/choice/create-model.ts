/**
 * Connects to the model that a person selected: a model of a configured or a discovered server, the demo, or a
 * recording.
 */
import { HarnessError } from "@localharness/engine";
import { countText, defined, suggestion } from "@localharness/protocol";
import { createDemo, demoStyle, demoStyleNames } from "../demo/demo.ts";
import type { Http } from "../http/http.ts";
import { createNodeHttp } from "../http/node-http.ts";
import { defaultLimits } from "../http/patience.ts";
import { bareUrl } from "../http/secrets.ts";
import { readRecording, replayHttp } from "../recordings/replay.ts";
import type { ModelFacts } from "../request/profile/model-profile.ts";
import { withTextToolCalls } from "../text-calls/with-text-tool-calls.ts";
import { chooseWindow, fitOf, type WindowFit } from "../wire/ollama/window-choice.ts";
import { findProvider, keyFor, type Provider, providers, titleWithin } from "./catalog.ts";
import { chooseModel, type NamedBy, silentText } from "./choose-model.ts";
import { adapter, connect, type Endpoint, personsWindow, wrap } from "./connect.ts";
import {
  defaultPlaces,
  type FindOptions,
  type FoundModel,
  type FoundServers,
  findServers,
  isNamed,
  ollamaOrigin,
  type PossiblePlace,
} from "./find-servers.ts";
import type { ModelSelection, SelectedModel } from "./model-selection.ts";
import { tunedSelection } from "./tuned-selection.ts";
import { UnknownModel } from "./unknown-model.ts";

/**
 * Returns the selected model. Throws a `HarnessError` if no model fits. Its message says what was tried and what to do.
 */
export async function createModel(selection: ModelSelection): Promise<SelectedModel> {
  if (selection.replay !== undefined) return fromRecording(selection, selection.replay);
  const wanted = resolveNames(selection);
  if (wanted.provider?.id === "demo" && selection.record !== undefined) {
    throw new HarnessError(
      "usage",
      "The demo has no server, so --record finds nothing to record: name a model of a server.",
    );
  }
  if (wanted.provider?.id === "demo") return demo(wanted.model ?? "demo");
  if (wanted.provider !== undefined) requireKey(selection, wanted.provider);
  const http = createNodeHttp(
    selection.limits?.connectMs === undefined ? {} : { connectMs: selection.limits.connectMs },
  );
  if (wanted.provider !== undefined && wanted.model !== undefined && selection.look !== true) {
    return configured(selection, wanted.provider, wanted.model, http);
  }
  return discovered(selection, wanted, http);
}

/** Returns the addresses where `createModel` looks for models. Throws a `HarnessError` as `createModel` does. */
export function placesOf(selection: ModelSelection): readonly PossiblePlace[] {
  const wanted = resolveNames(selection);
  return placesFor(selection, wanted.provider?.api === "none" ? { ...wanted, provider: undefined } : wanted);
}

interface Wanted {
  readonly provider: Provider | undefined;
  readonly model: string | undefined;
}

function resolveNames(selection: ModelSelection): Wanted {
  const { model } = selection;
  if (selection.provider !== undefined) {
    const provider = findProvider(selection.provider);
    if (provider === undefined) throw unknownProvider(selection.provider);
    return { provider, model };
  }
  if (model === "demo" || model?.startsWith("demo:")) return { provider: findProvider("demo"), model };
  if (selection.baseUrl !== undefined) return { provider: providerOfAddress(selection.baseUrl), model };
  const slash = model?.indexOf("/") ?? -1;
  const prefix = model === undefined || slash === -1 ? undefined : findProvider(model.slice(0, slash));
  if (model !== undefined && prefix !== undefined) return { provider: prefix, model: model.slice(slash + 1) };
  return { provider: undefined, model };
}

/** Returns the provider with this address; else `ollama` for port 11434 without a path, and `custom` for any other. */
function providerOfAddress(baseUrl: string): Provider | undefined {
  if (!URL.canParse(baseUrl)) return findProvider("custom");
  const url = new URL(baseUrl);
  const known = providers.find((row) => row.baseUrl !== "" && new URL(row.baseUrl).host === url.host);
  if (known !== undefined) return known;
  return url.port === "11434" && url.pathname === "/" ? findProvider("ollama") : findProvider("custom");
}

function addressOf(selection: ModelSelection, provider: Provider): string {
  const fromHost = provider.id === "ollama" ? ollamaOrigin(selection.environment["OLLAMA_HOST"]) : undefined;
  const address = (selection.baseUrl ?? fromHost ?? provider.baseUrl).replace(/\/+$/, "");
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    const got = address === "" ? "none" : `"${bareUrl(address)}"`;
    const example = "http://127.0.0.1:8080/v1";
    throw new HarnessError(
      "config-invalid",
      `Expected a base URL like ${example}, got ${got}. Set it with --base-url.`,
    );
  }
  return provider.api === "ollama" ? address.replace(/\/(v1|api)$/, "") : address;
}

/** Throws a `HarnessError` if a remote provider needs a key and none was found. */
function requireKey(selection: ModelSelection, provider: Provider): void {
  const baseUrl = addressOf(selection, provider);
  if (baseUrl !== provider.baseUrl || !isRemote(baseUrl)) return;
  if (keyOf(selection, provider) === undefined) throw keyMissing(provider);
}

function configured(selection: ModelSelection, provider: Provider, name: string, http: Http): SelectedModel {
  const baseUrl = addressOf(selection, provider);
  const found = keyFor(provider, selection.environment, selection.keys);
  const withKey = found === undefined ? "" : `, key from ${found.from}`;
  const endpoint = { provider, baseUrl, model: name, key: found?.key, http };
  const { tuning, numCtx } = tunedSelection(selection, provider, baseUrl, name);
  const isOllama = provider.api === "ollama";
  const window = isOllama
    ? (numCtx ?? chooseWindow(fitFor(selection, endpoint), undefined))
    : (personsWindow(selection, endpoint) ?? tuning.window);
  const { model, profile } = connect(isOllama ? sized(selection, window) : selection, endpoint);
  return {
    model,
    profile,
    provider: provider.id,
    baseUrl,
    reason: `Using ${name} of ${titleWithin(provider.title)} at ${bareUrl(baseUrl)}, ${howNamed(selection)}${withKey}.`,
    ...defined({ contextWindow: window }),
  };
}

function howNamed({ picked }: ModelSelection): NamedBy {
  return picked === true ? "as you chose" : "as configured";
}

async function discovered(selection: ModelSelection, wanted: Wanted, http: Http): Promise<SelectedModel> {
  const found = await lookUntilLoaded(selection, {
    http,
    places: placesFor(selection, wanted),
    key: (id) => keyOf(selection, findProvider(id)),
    ...defined({ limitMs: selection.findMs }),
  });
  const named = wanted.model;
  const chosen =
    named === undefined ? chooseModel(found) : chooseModel(onlyNamed(found, named), howNamed(selection));
  if (!chosen.ok) {
    if (named !== undefined && found.servers.length > 0) throw new UnknownModel(named, found);
    throw new HarnessError("model-unknown", chosen.message);
  }
  const { server, model, reason } = chosen.choice;
  const provider = findProvider(server.provider);
  if (provider === undefined) throw unknownProvider(server.provider);
  const key = keyOf(selection, provider);
  const endpoint = { provider, baseUrl: server.baseUrl, model: model.name, key, http };
  const { tuning, numCtx } = tunedSelection(selection, provider, server.baseUrl, model.name);
  const claimed = windowOf(numCtx, provider, model, fitFor(selection, endpoint));
  const window =
    claimed === undefined
      ? (personsWindow(selection, endpoint) ?? tuning.window)
      : Math.min(claimed, tuning.window ?? claimed);
  const { model: connected, profile } = connect(
    provider.api === "ollama" ? sized(selection, window) : selection,
    endpoint,
    factsOf(model),
  );
  return {
    model: connected,
    profile,
    provider: provider.id,
    baseUrl: server.baseUrl,
    reason,
    ...defined({ contextWindow: window, canSee: model.canSee }),
  };
}

/**
 * Looks for servers. If none is ready and one is still loading its model, waits for it, but no longer than for a first
 * token. Does not wait if `whileLoading` is absent.
 */
async function lookUntilLoaded(
  { whileLoading, limits }: ModelSelection,
  options: FindOptions,
): Promise<FoundServers> {
  const limitMs = limits?.firstTokenMs ?? defaultLimits.firstTokenMs;
  let told = "";
  for (let waitedMs = 0; ; waitedMs += loadingLookMs) {
    const found = await findServers(options);
    const loading = found.silent.find((place) => place.loading !== undefined);
    if (found.servers.length > 0 || loading === undefined || whileLoading === undefined) return found;
    if (limitMs > 0 && waitedMs >= limitMs) return found;
    const message = `${silentText(loading)} Waiting until the model is loaded.`;
    if (message !== told) whileLoading(message);
    told = message;
    await new Promise((resolve) => setTimeout(resolve, loadingLookMs));
  }
}

const loadingLookMs = 500;

/** Returns the facts about a model that the search for servers has found. */
function factsOf({
  template,
  canCallTools,
  canSee,
  contextWindow,
  capabilities,
  slots,
}: FoundModel): ModelFacts {
  return {
    ...(template === undefined || template === "" ? {} : { template }),
    ...defined({ takesTools: canCallTools, canSee, contextWindow, capabilities, slots }),
  };
}

function keyOf({ environment, keys }: ModelSelection, provider: Provider | undefined): string | undefined {
  return provider === undefined ? undefined : keyFor(provider, environment, keys)?.key;
}

function onlyNamed({ servers, silent }: FoundServers, name: string): FoundServers {
  const named = servers.map((server) => ({
    ...server,
    models: server.models.filter((model) => isNamed(model.name, name)),
  }));
  return { servers: named, silent };
}

/**
 * The minimum context size, in tokens, that a loaded model may keep. The tools and the first results would fill a
 * smaller window.
 */
const smallestContext = 8_192;

/**
 * Returns the context size in tokens with which a model of the provider would run; undefined if the server does not say.
 * The harness tells Ollama the size: `numCtx` if it is given. Otherwise a loaded model keeps a size of `smallestContext` or
 * more, because another size would reload it, and the size of other models follows from `fit`.
 */
export function windowOf(
  numCtx: number | undefined,
  { api }: Pick<Provider, "api">,
  model: FoundModel,
  fit: WindowFit = {},
): number | undefined {
  const { contextWindow: window, maxContext: largest } = model;
  if (api !== "ollama") return window;
  if (numCtx !== undefined) return numCtx;
  if (model.loaded && window !== undefined && window >= smallestContext) return window;
  return chooseWindow(fit, largest);
}

/** Returns what earlier runs have learnt about the windows that fit into video memory. */
function fitFor(selection: ModelSelection, { provider, baseUrl, model }: Endpoint): WindowFit {
  return fitOf(selection.learnt?.(provider.id, bareUrl(baseUrl), model) ?? []);
}

/** Returns the selection with the context size that the harness tells Ollama. */
function sized(selection: ModelSelection, window: number | undefined): ModelSelection {
  return { ...selection, ...defined({ numCtx: window }), learnsWindow: selection.numCtx === undefined };
}

function placesFor(selection: ModelSelection, wanted: Wanted): readonly PossiblePlace[] {
  if (wanted.provider !== undefined) {
    return [{ provider: wanted.provider.id, baseUrl: addressOf(selection, wanted.provider), named: true }];
  }
  return selection.places ?? defaultPlaces(selection.environment);
}

function fromRecording(selection: ModelSelection, path: string): SelectedModel {
  const recording = readRecording(path);
  const provider = findProvider(recording.provider) ?? findProvider("custom");
  if (provider === undefined) throw unknownProvider(recording.provider);
  const http = replayHttp(recording);
  const asRecorded = {
    ...selection,
    retry: { ...selection.retry, firstWaitMs: 0, maxWaitMs: 0 },
    ...defined({ numCtx: recording.contextWindow }),
  };
  const endpoint = { provider, baseUrl: recording.baseUrl, model: recording.model, key: undefined, http };
  const model = adapter(asRecorded, endpoint);
  return {
    model: wrap(selection, model),
    provider: "replay",
    baseUrl: recording.baseUrl,
    reason: `Replaying ${path}: ${recording.model} of ${titleWithin(provider.title)}, ${countText(recording.exchanges.length, "answer")}, no server needed.`,
  };
}

function demo(name: string): SelectedModel {
  const wanted = name.startsWith("demo:") ? name.slice("demo:".length) : "native";
  const style = demoStyle(wanted);
  if (style === undefined) {
    const names = demoStyleNames().join(", ");
    throw new HarnessError(
      "model-unknown",
      `The demo has no style "${wanted}". Use --model demo:STYLE with one of: ${names}.`,
    );
  }
  const reason = "Using the built-in demo: fixed rules, no language model. It needs no server.";
  return {
    model: withTextToolCalls(createDemo(style)),
    provider: "demo",
    baseUrl: "",
    reason,
    canSee: false,
  };
}

function isRemote(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === "https:";
}

function keyMissing({ id, title, keyVariables }: Provider): HarnessError {
  const variables = keyVariables.join(" or ");
  const message = `${title} wants a key and none was found: set ${variables}, or write {"${id}": "..."} to keys.json (localharness config path says where, mode 0600).`;
  return new HarnessError("config-invalid", message);
}

function unknownProvider(name: string): HarnessError {
  const names = providers.map((row) => row.id);
  const hint = suggestion(name, [...names, ...providers.flatMap((row) => row.aliases)]);
  const message = `There is no provider "${name}".${hint} Known ones: ${names.join(", ")}.`;
  return new HarnessError("config-invalid", message);
}
