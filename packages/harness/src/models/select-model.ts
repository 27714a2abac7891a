/** Creates the model that the settings name, or another model that the person chooses while the program runs. */
import { usageError } from "@localharness/engine";
import type { FoundModel, ModelSelection, SelectedModel } from "@localharness/models";
import { defined } from "@localharness/protocol";
import type { ConfigValues } from "../config/fields.ts";
import { readKeys } from "../config/keys.ts";
import { stateFolder } from "../config/location.ts";
import type { Settings } from "../config/settings.ts";
import { openTuning } from "./model-profiles/open-tuning.ts";
import { openRecall } from "./model-profiles/profile-file.ts";

export interface ModelFiles {
  readonly record?: string;
  readonly replay?: string;
  /** See `ModelSelection.whileLoading`. */
  readonly whileLoading?: (message: string) => void;
  /** See `ModelSelection.look`. */
  readonly look?: boolean;
  /** See `ModelSelection.picked`. */
  readonly picked?: boolean;
}

/**
 * The time limit for the list of models, in milliseconds. It is longer than at the start, because the person asked for
 * the list.
 */
const listMs = 3_000;
/** The maximum number of models whose details are requested. */
const maxDetails = 60;

export async function selectModel(
  settings: Settings,
  files: ModelFiles,
  environment: NodeJS.ProcessEnv,
): Promise<SelectedModel> {
  const { createModel } = await import("@localharness/models");
  return createModel(await selectionOf(settings, files, environment));
}

/**
 * Creates a model by its name, on the same server. If that server does not list the name, `provider/name` is a model of
 * another provider, and `demo` is the built-in model. Rejects with a `HarnessError` if a local server does not have the
 * model; a remote server refuses an unknown name only at the first message. Rejects too while a recording is replayed.
 */
export async function selectAnother(
  settings: Settings,
  files: ModelFiles,
  environment: NodeJS.ProcessEnv,
  now: SelectedModel,
  name: string,
): Promise<SelectedModel> {
  if (files.replay !== undefined) {
    throw usageError("the model cannot be changed while a recording is replayed");
  }
  const { createModel, findProvider } = await import("@localharness/models");
  const {
    provider: _provider,
    model: _model,
    baseUrl: _baseUrl,
    ...rest
  } = await selectionOf(settings, files, environment);
  const slash = name.indexOf("/");
  const elsewhere = slash > 0 && findProvider(name.slice(0, slash)) !== undefined;
  const here =
    now.provider !== "demo" &&
    (await listModels(settings, environment, now)).some((one) => one.name === name);
  if (!here && (elsewhere || now.provider === "demo" || isDemo(name))) {
    return createModel({ ...rest, model: name });
  }
  const local = findProvider(now.provider)?.port !== undefined;
  return createModel({ ...rest, provider: now.provider, baseUrl: now.baseUrl, model: name, look: local });
}

/**
 * Returns the chat models that the server has now, each with the context window that it would get. Returns an empty list if
 * there is no server, or if it lists no models in time.
 */
export async function listModels(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  now: Pick<SelectedModel, "provider" | "baseUrl">,
): Promise<readonly FoundModel[]> {
  if (now.baseUrl === "") return [];
  const { createNodeHttp, findProvider, findServers, keyFor, windowOf } = await import(
    "@localharness/models"
  );
  const keys = await readKeys(settings.folder);
  const {
    servers: [server],
  } = await findServers({
    http: createNodeHttp(),
    places: [{ provider: now.provider, baseUrl: now.baseUrl }],
    limitMs: listMs,
    details: maxDetails,
    key(id) {
      const provider = findProvider(id);
      return provider === undefined ? undefined : keyFor(provider, environment, keys)?.key;
    },
  });
  const api = findProvider(now.provider)?.api ?? "openai";
  const chats = server?.models.filter((model) => model.chats) ?? [];
  return chats.map((model) => {
    const { contextWindow: _largest, ...rest } = model;
    return { ...rest, ...defined({ contextWindow: windowOf(settings.values.num_ctx, { api }, model) }) };
  });
}

function isDemo(name: string): boolean {
  return name === "demo" || name.startsWith("demo:");
}

/** Returns the selection of a model from the settings, with the keys of the key file. */
export async function selectionOf(
  { values, folder }: Settings,
  files: ModelFiles,
  environment: NodeJS.ProcessEnv,
): Promise<ModelSelection> {
  const selection: { -readonly [Key in keyof ModelSelection]: ModelSelection[Key] } = {
    environment,
    keys: await readKeys(folder),
    learnt: await openRecall(stateFolder(), Date.now()),
    tuned: await openTuning(stateFolder(), values),
    ...files,
  };
  if (values.provider !== undefined) selection.provider = values.provider;
  if (values.model !== undefined) selection.model = values.model;
  if (values.host !== undefined) selection.baseUrl = values.host;
  if (values.num_ctx !== undefined) selection.numCtx = values.num_ctx;
  if (values.num_predict !== undefined) selection.numPredict = values.num_predict;
  if (values.keep_alive !== undefined) selection.keepAlive = values.keep_alive;
  if (values.thinking !== undefined) selection.think = values.thinking;
  if (values.text_tool_calls !== undefined) selection.toolCalls = values.text_tool_calls;
  selection.limits = answerLimitsOf(values);
  return selection;
}

function answerLimitsOf(values: ConfigValues): NonNullable<ModelSelection["limits"]> {
  const seconds = values["limits.first_token_seconds"];
  return defined({
    answerChars: values["limits.answer_characters"],
    firstTokenMs: seconds === undefined ? undefined : seconds * 1_000,
  });
}
