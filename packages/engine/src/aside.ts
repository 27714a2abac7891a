/** Declares the questions that a tool asks the session's model outside of the conversation. */

export interface AsideQuestion {
  /** The name under which the tokens are counted, such as `curator`. */
  readonly who: string;
  /** The instructions, as the system prompt. */
  readonly system: string;
  readonly question: string;
}

export interface Aside {
  /** The person's last message and what the model said last, which show what the conversation is about. */
  readonly need: string;
  /** Resolves to the maximum number of characters of a question that fits into the context window. */
  maxChars(): Promise<number>;
  /**
   * Resolves to the text of the model's answer; undefined if the model fails, takes longer than `Limits.besideSeconds` or
   * writes more than 20,000 characters, or if the call is interrupted. Questions are asked one after another. Never rejects.
   */
  ask(question: AsideQuestion): Promise<string | undefined>;
}

/** Returns the access to the model for one call. */
export type AsideOf = (call: { readonly callId: string; readonly signal: AbortSignal }) => Aside;
