/** What of a transcript a model may quote: what tools gave it, and what a person typed or pasted. */
import { isJsonObject, type JsonObject, type JsonValue, type ModelMessage } from "@localharness/protocol";

export interface Source {
  /** In words, for the person: `the result of read_file (README.md)`. */
  readonly label: string;
  readonly text: string;
  /** False for words of the harness and its tools, which name tools and arguments themselves. */
  readonly isContent: boolean;
}

const longestSubject = 60;

/** Names the calls that results belong to as it goes; messages are given in order. */
export function createSourceReader(person: string): (message: ModelMessage) => readonly Source[] {
  const subjects = new Map<string, string>();
  return (message) => {
    switch (message.role) {
      case "system":
        return [];
      case "assistant":
        subjects.clear();
        for (const { id, arguments: args } of message.toolCalls ?? []) subjects.set(id, subjectOf(args));
        return [];
      case "user":
        return message.from === "person" ? [{ label: person, text: message.content, isContent: true }] : [];
      case "tool": {
        const label = `the result of ${message.toolName}${subjects.get(message.toolCallId) ?? ""}`;
        return readResult(message.content).map((part) => ({ label, ...part }));
      }
    }
  };
}

function readResult(content: string): readonly Omit<Source, "label">[] {
  const result = parse(content);
  if (!isJsonObject(result)) return [{ text: content, isContent: true }];
  const { data, error_message: message } = result;
  return [
    ...(typeof data === "string" ? [{ text: data, isContent: true }] : []),
    ...(typeof message === "string" ? [{ text: message, isContent: false }] : []),
  ];
}

function subjectOf(args: string | JsonObject): string {
  const object = typeof args === "string" ? parse(args) : args;
  if (!isJsonObject(object)) return "";
  const subject = Object.values(object).find((value) => typeof value === "string");
  if (typeof subject !== "string" || subject === "") return "";
  const line = subject.replace(/\s+/g, " ");
  return ` (${line.length <= longestSubject ? line : `${line.slice(0, longestSubject).toWellFormed()}…`})`;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
