/** Declares the parts that the web tools need. */
import type { Web } from "@localharness/engine";

export interface WebParts {
  readonly web: Web;
  /** Returns true for a text with a known key, which must not leave the machine in an address or a query. */
  holdsSecret(text: string): boolean;
  /** The search service. If it is absent, there is no tool `web_search`. */
  readonly search?: SearchService;
}

export interface SearchService {
  readonly provider: "searxng" | "brave" | "tavily";
  /** The address of the service, without a trailing slash. */
  readonly address: string;
  readonly key?: string;
  /** Access to the service. The address may be on this machine, because the person chose it. */
  readonly web: Web;
}
