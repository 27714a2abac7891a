/** Counts the tokens of a request with the tokenizer of Llama 3, as its chat template would write the request. */
import tokenizer from "llama3-tokenizer-js";

interface Body {
  readonly messages: readonly Message[];
  readonly tools?: readonly object[];
}

interface Message {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
  readonly tool_calls?: readonly { readonly function: object }[];
}

/** The tokens around a message: the marks of its beginning and end, and the role. */
const tokensAround = 5;

const counted = new Map<string, number>();

/** Returns the number of tokens of a request's body, with the tools and the calls as JSON. */
export function countBodyTokens(text: string): number {
  const { messages, tools = [] } = JSON.parse(text) as Body;
  const parts = [...tools.map((tool) => JSON.stringify(tool)), ...messages.map(textOf)];
  return parts.reduce((sum, part) => sum + countTokens(part) + tokensAround, tokensAround);
}

function textOf({ content, tool_calls: calls = [] }: Message): string {
  const text =
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
  return [text, ...calls.map((call) => JSON.stringify(call.function))].join("");
}

/**
 * Returns the number of tokens of a part. Remembers each count, because a prompt repeats the parts of the previous
 * prompt.
 */
function countTokens(part: string): number {
  const known = counted.get(part);
  if (known !== undefined) return known;
  const tokens = tokenizer.encode(part, { bos: false, eos: false }).length;
  counted.set(part, tokens);
  return tokens;
}
