/** Declares what the web tools get from whoever opens them. */
import type { Web } from "@localharness/engine";

export interface WebParts {
  readonly web: Web;
  /** Returns true for a text with a known key, which must not leave the machine in an address. */
  holdsSecret(text: string): boolean;
  /** Absent: there is no tool that searches. */
  readonly search?: SearchService;
}

export interface SearchService {
  readonly provider: "searxng" | "brave" | "tavily";
  /** The address of the service, without a trailing slash. */
  readonly address: string;
  readonly key?: string;
  /** Reaches the service: its address is the person's choice, and may be on this machine. */
  readonly web: Web;
}
