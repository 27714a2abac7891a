/** Who serves models, as data: one row a provider. A wire API is code, a provider is a row. */

export type ProviderId =
  | "ollama"
  | "lmstudio"
  | "llamacpp"
  | "vllm"
  | "xai"
  | "openai"
  | "openrouter"
  | "custom"
  | "demo"
  | "replay";

export interface Provider {
  readonly id: ProviderId;
  /** For people. */
  readonly title: string;
  readonly api: "ollama" | "openai" | "none";
  /** For `openai` up to and including `/v1`, for `ollama` the origin; empty where the person has to give it. */
  readonly baseUrl: string;
  /** Environment variables that may hold the key, in the order they are looked at. */
  readonly keyVariables: readonly string[];
  /** Other names that people use for it. */
  readonly aliases: readonly string[];
  /** On the person's own machine, found by its port when nothing is configured. */
  readonly port?: number;
  readonly startHint?: string;
  /** The server takes the model's earlier thoughts back. */
  readonly sendsReasoning?: boolean;
  /** It is llama-server, whose requests and answers have fields of their own. */
  readonly llamaServer?: boolean;
}

export const providers: readonly Provider[] = [
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
  },
  { id: "demo", title: "the demo", api: "none", baseUrl: "", keyVariables: [], aliases: [] },
  { id: "replay", title: "a recording", api: "none", baseUrl: "", keyVariables: [], aliases: [] },
];

/** The row of an id or another name of it; undefined when there is none. */
export function findProvider(name: string): Provider | undefined {
  const wanted = name.toLowerCase();
  return providers.find((row) => row.id === wanted || row.aliases.includes(wanted));
}

/** A title as it stands within a sentence. */
export function titleWithin(title: string): string {
  return title.replace(/^The /, "the ");
}

/** The key for a provider and where it came from: the environment first, then the key file. */
export function keyFor(
  provider: Provider,
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

/** Every key that the program may hold: from the environment, for all providers, and from the key file. */
export function knownKeys(
  environment: Readonly<Record<string, string | undefined>>,
  keys: Readonly<Record<string, string>> = {},
): readonly string[] {
  const fromEnvironment = providers.flatMap((provider) =>
    provider.keyVariables.map((name) => environment[name]?.trim() ?? ""),
  );
  return [...new Set([...fromEnvironment, ...Object.values(keys)])].filter((key) => key !== "");
}
