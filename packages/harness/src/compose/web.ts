/** Gives the tools access to the web, according to the settings. */
import { configError, type Web } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import type { SearchService, WebParts } from "@localharness/tools";
import type { ConfigValues } from "../config/fields.ts";
import type { ProviderKeys } from "../config/keys.ts";

/** The search services, each with its address and the environment variable of its key. */
const services: Readonly<
  Record<SearchService["provider"], { readonly url?: string; readonly variable?: string }>
> = {
  searxng: {},
  brave: { url: "https://api.search.brave.com", variable: "BRAVE_API_KEY" },
  tavily: { url: "https://api.tavily.com", variable: "TAVILY_API_KEY" },
};

/** Opens the access. Throws a `HarnessError` if a search service lacks its address or its key. */
export function openWeb(
  values: ConfigValues,
  keys: ProviderKeys,
  environment: NodeJS.ProcessEnv,
  holdsSecret: (text: string) => boolean,
): WebParts {
  const search = searchSettings(values, keys, environment);
  return {
    web: lazyWeb(values.web_allow_private === true),
    holdsSecret,
    ...(search === undefined ? {} : { search: { ...search, web: lazyWeb(true) } }),
  };
}

/** Returns a `Web` that loads the code for sockets at its first call. */
function lazyWeb(allowPrivate: boolean): Web {
  let door: Promise<Web> | undefined;
  const open = () => {
    door ??= import("@localharness/models/web-door").then(({ createWebDoor }) =>
      createWebDoor({ allowPrivate }),
    );
    return door;
  };
  return {
    objection: async (url) => (await open()).objection(url),
    send: async (request, signal) => (await open()).send(request, signal),
  };
}

function searchSettings(
  values: ConfigValues,
  keys: ProviderKeys,
  environment: NodeJS.ProcessEnv,
): Omit<SearchService, "web"> | undefined {
  const provider = values.web_search_provider;
  if (provider === undefined) return undefined;
  const { url, variable } = services[provider];
  const address = (values.web_search_url ?? url)?.replace(/\/+$/, "");
  if (address === undefined) {
    throw configError(`web_search_provider is ${provider}: set web_search_url to the address of your server`);
  }
  const key = variable === undefined ? undefined : environment[variable]?.trim() || keys[provider];
  if (variable !== undefined && key === undefined) {
    throw configError(`web_search_provider is ${provider}: set ${variable}, or "${provider}" in keys.json`);
  }
  return { provider, address, ...defined({ key }) };
}
