/** Reads the messages of a request like llama.cpp and refuses the same ones. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

/** Thrown for messages that a server refuses with a 400. */
export class BadMessages extends Error {
  readonly status: 400 | 500 = 400;
}

/** Thrown for messages at which a server fails with a 500. */
export class FailedMessages extends BadMessages {
  override readonly status = 500;
}

export interface ReadMessage {
  readonly role: string;
  /** The text or the parts as received, with images replaced by marks. Null if there was no content. */
  readonly content: string | readonly JsonObject[] | null;
  readonly reasoning: string;
  readonly name: string;
  readonly callId: string;
  readonly calls: readonly ReadCall[];
}

export interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Replaces an image in the text. */
export const imageMark = "<__media__>";
export const noImages =
  "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj";

export function readMessages(body: JsonObject, seesImages: boolean): readonly ReadMessage[] {
  const { messages } = body;
  if (!Array.isArray(messages)) throw new BadMessages("Expected 'messages' to be an array");
  return messages.map((message) => {
    if (!isJsonObject(message) || typeof message["role"] !== "string") {
      throw new FailedMessages("Failed to parse messages: Missing 'role' in message");
    }
    return readMessage(message, message["role"], seesImages);
  });
}

function readMessage(message: JsonObject, role: string, seesImages: boolean): ReadMessage {
  const calls = Array.isArray(message["tool_calls"]) ? message["tool_calls"].map(readCall) : [];
  const content = readContent(message["content"], seesImages);
  if (content === null && calls.length === 0) {
    const expected =
      role === "assistant"
        ? "Assistant message must contain either 'content' or 'tool_calls'!"
        : "All non-assistant messages must contain 'content'";
    throw new BadMessages(expected);
  }
  return {
    role,
    content,
    reasoning: text(message["reasoning_content"]),
    name: text(message["name"]),
    callId: text(message["tool_call_id"]),
    calls,
  };
}

function readContent(content: JsonValue | undefined, seesImages: boolean): ReadMessage["content"] {
  if (content === undefined || content === null) return null;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw new BadMessages("Invalid 'content' type: expected string or array");
  return content.map((part) => {
    const type = isJsonObject(part) ? part["type"] : undefined;
    if (isJsonObject(part) && type === "text" && typeof part["text"] === "string") {
      return { type, text: part["text"] };
    }
    if (type === "image_url") {
      if (!seesImages) throw new FailedMessages(noImages);
      return { type: "media_marker", text: imageMark };
    }
    throw new BadMessages(`unsupported content[].type: ${String(type)}`);
  });
}

function readCall(call: JsonValue): ReadCall {
  const made = isJsonObject(call) ? call["function"] : undefined;
  if (!isJsonObject(call) || !isJsonObject(made)) {
    throw new FailedMessages("Failed to parse messages: Missing tool call function");
  }
  const { name, arguments: args } = made;
  if (typeof name !== "string" || typeof args !== "string") {
    const came = name === undefined ? "no name" : `arguments of type ${typeof args}`;
    throw new FailedMessages(
      `Failed to parse messages: [json.exception.type_error.302] type must be string, but came ${came}`,
    );
  }
  return { id: text(call["id"]), name, arguments: args };
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Joins the parts to one text, one per line; neither an image nor the part after it starts a line. */
export function joined(parts: readonly JsonObject[]): string {
  let text = "";
  let afterImage = false;
  for (const part of parts) {
    const image = part["type"] === "media_marker";
    if (!image && !afterImage && text !== "") text += "\n";
    text += String(part["text"]);
    afterImage = image;
  }
  return text;
}
