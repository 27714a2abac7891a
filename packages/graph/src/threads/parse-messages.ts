/**
 * Declares the messages between the parser thread and its owner. The owner sends the next request only after it has got
 * the answer.
 */

export interface ParseRequest {
  readonly path: string;
  readonly text: string;
  /** The hash of the text that is in the index. */
  readonly known: string | undefined;
}

export type ParseAnswer =
  /** The facts are `FileFacts` as JSON in UTF-8. */
  | { readonly kind: "parsed"; readonly facts: Uint8Array }
  | { readonly kind: "same"; readonly hash: string }
  | { readonly kind: "skipped"; readonly reason: string }
  /** The parser was closed before the text was parsed. */
  | { readonly kind: "cancelled" };
