/** Declares how strict a scripted server is, as plain JSON in its scenario. */
import type { LlamaServer } from "./llama-server.ts";

export interface Strictness {
  /** Jinja text of the model's chat template; each request is rendered through it. */
  readonly template: string;
  /** Which server is imitated. The later one by default, and always for Ollama's API. */
  readonly server?: LlamaServer;
  /** Size of the context in tokens; a prompt of as many tokens or more is refused. 32,768 by default. */
  readonly contextTokens?: number;
  /** True for a model that accepts images. */
  readonly seesImages?: boolean;
  /** Number of requests of any kind that get a 503 before the model is loaded. With `afterwards` the server then crashes. */
  readonly loading?: { readonly requests: number; readonly afterwards?: "dies" };
  /** Replaces the answer of `/props`. */
  readonly props?: "missing" | "forbidden" | "huge" | "not-json";
  /** Switches to another model after this many answers. */
  readonly changesAfter?: { readonly answers: number; readonly to: Strictness };
}

export const usualContext = 32_768;
