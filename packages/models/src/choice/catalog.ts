/** Lists the providers of models, one row each, and finds the key of a provider. */

interface Row {
  readonly id: string;
  /** The name on the screen. */
  readonly title: string;
  readonly api: "ollama" | "openai" | "none";
  /**
   * The address: up to and including `/v1` for `openai`, only the origin for `ollama`, and empty if the person has to
   * give it.
   */
  readonly baseUrl: string;
  /** The environment variables that may hold the key. The first one that is set is used. */
  readonly keyVariables: readonly string[];
  /** Other names that people use for the provider. */
  readonly aliases: readonly string[];
  /** The default port of a server on the person's machine; absent for a service. It is tried if no server is configured. */
  readonly port?: number;
  readonly startHint?: string;
  /** True if the server accepts the model's earlier reasoning in the history. */
  readonly sendsReasoning?: boolean;
  /** True if the server is llama-server, whose requests and answers have more fields. */
  readonly llamaServer?: boolean;
  /** True if llama-server may run at such an address too, so that a server nearby is asked whether it is. */
  readonly maybeLlamaServer?: boolean;
}

type KeyPlace = Pick<Row, "id" | "keyVariables" | "aliases">;

const rows = [
  {
    id: "ollama",
    title: "Ollama",
    api: "ollama",
    baseUrl: "http://127.0.0.1:11434",
    keyVariables: ["OLLAMA_API_KEY"],
    aliases: [],
    port: 11434,
    startHint: "Start it with: ollama serve",
  },
  {
    id: "lmstudio",
    title: "LM Studio",
    api: "openai",
    baseUrl: "http://127.0.0.1:1234/v1",
    keyVariables: ["LMSTUDIO_API_KEY"],
    aliases: ["lm-studio"],
    port: 1234,
    startHint: "Start its server in the Developer tab, or with: lms server start",
  },
  {
    id: "llamacpp",
    title: "llama.cpp",
    api: "openai",
    baseUrl: "http://127.0.0.1:8080/v1",
    keyVariables: ["LLAMA_API_KEY"],
    aliases: ["llama.cpp", "llama-cpp", "llama-server"],
    port: 8080,
    startHint: "Start it with: llama-server -m MODEL.gguf --jinja --port 8080",
    sendsReasoning: true,
    llamaServer: true,
  },
  {
    id: "vllm",
    title: "vLLM",
    api: "openai",
    baseUrl: "http://127.0.0.1:8000/v1",
    keyVariables: ["VLLM_API_KEY"],
    aliases: [],
    port: 8000,
    startHint: "Start it with: vllm serve MODEL --enable-auto-tool-choice --tool-call-parser PARSER",
  },
  {
    id: "sglang",
    title: "SGLang",
    api: "openai",
    baseUrl: "http://127.0.0.1:30000/v1",
    keyVariables: ["SGLANG_API_KEY"],
    aliases: ["sgl"],
    port: 30000,
    startHint: "Start it with: python3 -m sglang.launch_server --model-path MODEL --tool-call-parser PARSER",
    maybeLlamaServer: true,
  },
  {
    id: "koboldcpp",
    title: "KoboldCpp",
    api: "openai",
    baseUrl: "http://127.0.0.1:5001/v1",
    keyVariables: ["KOBOLDCPP_API_KEY"],
    aliases: ["kobold", "kobold.cpp"],
    port: 5001,
    startHint: "Start it with: koboldcpp --model MODEL.gguf",
    maybeLlamaServer: true,
  },
  {
    id: "jan",
    title: "Jan",
    api: "openai",
    baseUrl: "http://127.0.0.1:1337/v1",
    keyVariables: ["JAN_API_KEY"],
    aliases: [],
    port: 1337,
    startHint: "Start its server in Settings, Local API Server",
    maybeLlamaServer: true,
  },
  {
    id: "gpt4all",
    title: "GPT4All",
    api: "openai",
    baseUrl: "http://127.0.0.1:4891/v1",
    keyVariables: ["GPT4ALL_API_KEY"],
    aliases: [],
    port: 4891,
    startHint: "Start its server in Settings, Enable Local API Server",
    maybeLlamaServer: true,
  },
  {
    id: "xai",
    title: "xAI Grok",
    api: "openai",
    baseUrl: "https://api.x.ai/v1",
    keyVariables: ["XAI_API_KEY", "GROK_API_KEY"],
    aliases: ["grok", "x.ai"],
  },
  {
    id: "openai",
    title: "OpenAI",
    api: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    aliases: [],
  },
  {
    id: "openrouter",
    title: "OpenRouter",
    api: "openai",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    aliases: [],
  },
  {
    id: "custom",
    title: "The server",
    api: "openai",
    baseUrl: "",
    keyVariables: ["LOCALHARNESS_API_KEY"],
    aliases: ["openai-compatible"],
    maybeLlamaServer: true,
  },
  { id: "demo", title: "the demo", api: "none", baseUrl: "", keyVariables: [], aliases: [] },
  { id: "replay", title: "a recording", api: "none", baseUrl: "", keyVariables: [], aliases: [] },
] as const satisfies readonly Row[];

/** The variable, and the name in the key file (`id`), for the key of the embedding server, which is not a provider. */
export const embeddingKeys = {
  id: "embedding",
  keyVariables: ["LOCALHARNESS_EMBEDDING_API_KEY"],
  aliases: [],
} as const satisfies KeyPlace;

export type ProviderId = (typeof rows)[number]["id"];

export interface Provider extends Row {
  readonly id: ProviderId;
}

export const providers: readonly Provider[] = rows;

/** Returns the provider with this id or alias, ignoring case; undefined if there is none. */
export function findProvider(name: string): Provider | undefined {
  const wanted = name.toLowerCase();
  return providers.find((row) => row.id === wanted || row.aliases.includes(wanted));
}

/** Returns the title for use inside a sentence: "The server" becomes "the server". */
export function titleWithin(title: string): string {
  return title.replace(/^The /, "the ");
}

/**
 * Returns the key for a provider, and where the key comes from. The environment takes precedence over the key file.
 * Returns undefined if neither has a key.
 */
export function keyFor(
  provider: KeyPlace,
  environment: Readonly<Record<string, string | undefined>>,
  keys: Readonly<Record<string, string>> = {},
): { readonly key: string; readonly from: string } | undefined {
  for (const name of provider.keyVariables) {
    const key = environment[name]?.trim();
    if (key) return { key, from: name };
  }
  const stored = [provider.id, ...provider.aliases].map((name) => keys[name]?.trim()).find(Boolean);
  return stored === undefined ? undefined : { key: stored, from: "the key file" };
}

/**
 * Returns every key that the program may hold: the keys of all providers in the environment, and the keys in the key
 * file.
 */
export function knownKeys(
  environment: Readonly<Record<string, string | undefined>>,
  keys: Readonly<Record<string, string>> = {},
): readonly string[] {
  const fromEnvironment = [...providers, embeddingKeys].flatMap(({ keyVariables }) =>
    keyVariables.map((name) => environment[name]?.trim() ?? ""),
  );
  return [...new Set([...fromEnvironment, ...Object.values(keys)])].filter((key) => key !== "");
}
