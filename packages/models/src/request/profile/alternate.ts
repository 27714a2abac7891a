/**
 * Joins or inserts messages so that user and assistant alternate, beginning with the user. System messages, messages with
 * calls, and the results of calls do not count, because the templates that demand this do not count them either.
 */
import type { AssistantMessage, ModelMessage, UserMessage } from "@localharness/protocol";

/** The answer that is inserted between two messages of the user if there are calls between them. */
const filledAnswer: AssistantMessage = { role: "assistant", content: "Understood." };
/** The message that is inserted between two answers if there are calls between them, and before a first answer. */
const filledUser: UserMessage = { role: "user", content: "Go on.", from: "harness" };

export function alternate(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const out: ModelMessage[] = [];
  let spoke: "user" | "assistant" = "assistant";
  for (const message of messages) {
    const speaks = speakerOf(message);
    if (speaks === undefined) {
      out.push(message);
      continue;
    }
    if (speaks === spoke) {
      const joined = join(out.at(-1), message);
      if (joined !== undefined) {
        out[out.length - 1] = joined;
        continue;
      }
      out.push(speaks === "user" ? filledAnswer : filledUser);
    }
    out.push(message);
    spoke = speaks;
  }
  return out;
}

function speakerOf(message: ModelMessage): "user" | "assistant" | undefined {
  if (message.role === "user") return "user";
  if (message.role !== "assistant") return undefined;
  return (message.toolCalls ?? []).length === 0 ? "assistant" : undefined;
}

/** Joins two adjacent messages of one speaker. Returns undefined if `last` is not from the same speaker or has calls. */
function join(last: ModelMessage | undefined, message: ModelMessage): ModelMessage | undefined {
  if (last?.role === "user" && message.role === "user") return joinUsers(last, message);
  if (last?.role !== "assistant" || message.role !== "assistant" || speakerOf(last) === undefined) {
    return undefined;
  }
  return { ...last, content: `${last.content}\n\n${message.content}` };
}

/** Returns one message with both texts, separated by an empty line, and the images of both. */
export function joinUsers(first: UserMessage, second: UserMessage): UserMessage {
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  const content = `${first.content}\n\n${second.content}`;
  return { ...first, content, ...(images.length === 0 ? {} : { images }) };
}
