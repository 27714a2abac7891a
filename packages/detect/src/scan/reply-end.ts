/**
 * Keeps back special tokens at the end of a reply, which some servers leave in the text. What is before them is read as the end of
 * the text, so that every format reads it as if the tokens were not there.
 */

/** Special tokens that end a reply, or a turn, in the vocabularies of models. Marks of messages are not among them. */
export const replyEnds: readonly string[] = [
  "<|im_end|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|eos|>",
  "<|endofturn|>",
  "[|endofturn|]",
  "<|END_OF_TURN_TOKEN|>",
  "<|hy_eos|>",
  "<|role_end|>",
  "<|stop|>",
  "<｜end▁of▁sentence｜>",
  "<end_of_turn>",
  "<turn|>",
  "<end_of_utterance>",
  "<seed:eos>",
  "<eos>",
  "<EOS>",
  "</s>",
  "[e~[",
  "<|user|>",
  "<|observation|>",
];

/** The marks of messages that end a reply; other readers read them. */
export const messageEnds: readonly string[] = ["<|end|>", "<|return|>"];

/** The maximum number of characters that are kept back. */
const maxHeld = 256;

/** Keeps back the end of a text while it may be special tokens at the end of a reply, with white space after them. */
export class ReplyEnd {
  readonly #tokens: readonly string[];
  #held = "";

  /** `used` has the marks of the program's own formats. They are never kept back. */
  constructor(used: readonly string[]) {
    this.#tokens = replyEnds.filter((token) => !used.includes(token));
  }

  /** Adds a piece. Returns the text that is not kept back. */
  push(piece: string): string {
    const text = this.#held + piece;
    const from = this.#start(text, true);
    this.#held = text.slice(from);
    return text.slice(0, from);
  }

  /** Ends the text. Returns the rest of it, and the tokens at its end. */
  end(): { readonly text: string; readonly tokens: string } {
    const held = this.#held;
    const from = this.#start(held, false);
    this.#held = "";
    return { text: held.slice(0, from), tokens: held.slice(from) };
  }

  /** Returns the index from which on there are only tokens, and at the end half a token if `half` is true. */
  #start(text: string, half: boolean): number {
    for (let at = Math.max(0, text.length - maxHeld); at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if ((code === 60 || code === 91) && this.#isOnlyTokens(text, at, half)) return at;
    }
    return text.length;
  }

  #isOnlyTokens(text: string, from: number, half: boolean): boolean {
    let at = from;
    while (at < text.length) {
      const token = this.#tokens.find((token) => text.startsWith(token, at));
      if (token === undefined) {
        const rest = text.slice(at);
        return half && this.#tokens.some((token) => token.startsWith(rest));
      }
      at += token.length;
      while (at < text.length && text.charAt(at).trim() === "") at += 1;
    }
    return true;
  }
}
