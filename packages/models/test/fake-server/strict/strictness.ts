/** How strict a scripted server is: part of its scenario, plain JSON. */
import type { LlamaServer } from "./llama-server.ts";

export interface Strictness {
  /** Jinja text of the model's chat template: each request is rendered through it. */
  readonly template: string;
  /** Whose habits. The later one by default; Ollama's wire always has them. */
  readonly server?: LlamaServer;
  /** Tokens; a prompt that is longer is refused. 32,768 by default. */
  readonly contextTokens?: number;
  /** A model that takes images. */
  readonly seesImages?: boolean;
  /** Chat requests that are answered 503 before the model is there; then the server dies, where that is asked for. */
  readonly loading?: { readonly requests: number; readonly afterwards?: "dies" };
  /** What `/props` answers in place of the truth. */
  readonly props?: "missing" | "forbidden" | "huge" | "not-json";
  /** Another model is there after so many answers. */
  readonly changesAfter?: { readonly answers: number; readonly to: Strictness };
}

export const usualContext = 32_768;
