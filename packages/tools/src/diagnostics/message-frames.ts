/** Reads and writes messages in the frames of the language server protocol: a header with the length, then JSON. */
import { countText, isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

const maxHeaderBytes = 4_096;
/** The maximum number of bytes of one message. */
const maxMessageBytes = 8 * 1024 * 1024;

export function writeFrame(message: JsonObject): string {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

export interface FrameReader {
  /** Returns the messages that are complete now. Throws for bytes that are no frame, and for a message that is too long. */
  push(chunk: Uint8Array): readonly JsonObject[];
}

export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let size = 0;
  /** The number of bytes that the next step needs. */
  let needed = 0;
  return {
    push(chunk) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size < needed) return [];
      let rest = Buffer.concat(chunks);
      const messages: JsonObject[] = [];
      for (;;) {
        const body = bodyOf(rest);
        needed = body?.end ?? 0;
        if (body === undefined || rest.length < body.end) break;
        const message = parse(rest.subarray(body.start, body.end).toString("utf8"));
        if (isJsonObject(message)) messages.push(message);
        rest = rest.subarray(body.end);
      }
      chunks = [rest];
      size = rest.length;
      return messages;
    },
  };
}

/** Returns where the body of the first message begins and ends; undefined while its header is not complete. */
function bodyOf(bytes: Buffer): { readonly start: number; readonly end: number } | undefined {
  const head = bytes.subarray(0, maxHeaderBytes).indexOf("\r\n\r\n");
  if (head === -1) {
    if (bytes.length >= maxHeaderBytes) throw new Error("it wrote something that is no message");
    return undefined;
  }
  const length = Number(
    /^content-length: *(\d{1,10})$/im.exec(bytes.subarray(0, head).toString("latin1"))?.[1],
  );
  if (!Number.isSafeInteger(length)) throw new Error("it wrote a message without a length");
  if (length > maxMessageBytes) throw new Error(`it wrote a message of ${countText(length, "byte")}`);
  return { start: head + 4, end: head + 4 + length };
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
