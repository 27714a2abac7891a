/** Declares how the index gets vectors for texts. The program implements it with a server. */

export interface Embedder {
  /** The name of the model with the address of its server. Vectors of different models cannot be compared. */
  readonly model: string;
  /** Resolves to one vector for each text, or to the reason why there are none. Never rejects. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

export type Embedded =
  | { readonly ok: true; readonly vectors: readonly (readonly number[])[] }
  | { readonly ok: false; readonly problem: string };
