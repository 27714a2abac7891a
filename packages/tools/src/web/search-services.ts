/** Declares, for each service that searches the web, the request and the place of the results in the answer. */
import type { WebRequest } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { SearchService } from "./web-parts.ts";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

interface Service {
  request(service: SearchService, query: string, count: number): Omit<WebRequest, "maxBytes">;
  /** The path to the list of results in the answer. */
  readonly results: readonly string[];
  /** The name of the snippet in one result. */
  readonly snippet: string;
}

const json = { accept: "application/json" };

const services: Readonly<Record<SearchService["provider"], Service>> = {
  searxng: {
    request: ({ address }, query) => ({
      method: "GET",
      url: `${address}/search?${new URLSearchParams({ q: query, format: "json" })}`,
      headers: json,
    }),
    results: ["results"],
    snippet: "content",
  },
  brave: {
    request: ({ address, key = "" }, query, count) => ({
      method: "GET",
      url: `${address}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
      headers: { ...json, "x-subscription-token": key },
    }),
    results: ["web", "results"],
    snippet: "description",
  },
  tavily: {
    request: ({ address, key = "" }, query, count) => ({
      method: "POST",
      url: `${address}/search`,
      headers: { ...json, "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    results: ["results"],
    snippet: "content",
  },
};

export function searchRequest(
  service: SearchService,
  query: string,
  count: number,
): Omit<WebRequest, "maxBytes"> {
  return services[service.provider].request(service, query, count);
}

/**
 * Returns the results in an answer that have an http or https address. Returns undefined if the text is not JSON, or has
 * something else in place of the list. A missing list counts as empty.
 */
export function readResults(
  provider: SearchService["provider"],
  text: string,
): readonly SearchResult[] | undefined {
  const { results, snippet } = services[provider];
  let found = parse(text);
  // Brave leaves `web` out when nothing was found.
  for (const name of results) found = isJsonObject(found) ? (found[name] ?? []) : found;
  if (!Array.isArray(found)) return undefined;
  return found.filter(isJsonObject).flatMap((one) => readResult(one, snippet));
}

function readResult(one: JsonObject, snippet: string): readonly SearchResult[] {
  const { url, title } = one;
  if (typeof url !== "string" || !/^https?:/i.test(url)) return [];
  return [{ url, title: plain(title), snippet: plain(one[snippet]) }];
}

/** Returns the text without the tags with which services mark the words of the query. */
function plain(value: JsonValue | undefined): string {
  return typeof value === "string"
    ? value
        .replace(/<\/?(?:strong|b|em|mark)>/gi, "")
        .replace(/\s+/g, " ")
        .trim()
    : "";
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
