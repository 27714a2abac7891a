/** Finds the texts that a model may quote: results of tools, messages of the person and files attached to them. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelMessage,
  type UserMessage,
} from "@localharness/protocol";

export interface Source {
  /** The name of the text, in words for the person: `the result of read_file (README.md)`. */
  readonly label: string;
  readonly text: string;
  /** False for an error message: the harness wrote it, and it may name tools and arguments. */
  readonly isContent: boolean;
}

const maxSubjectChars = 60;

/** Returns a function that takes the messages one by one, in order, and returns the texts of each message. */
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
        if (message.from === "harness") return [];
        return [{ label: labelOf(message, person), text: message.content, isContent: true }];
      case "tool": {
        const label = `the result of ${message.toolName}${subjects.get(message.toolCallId) ?? ""}`;
        return readResult(message.content).map((part) => ({ label, ...part }));
      }
    }
  };
}

function labelOf({ from, path }: UserMessage, person: string): string {
  return from === "file" ? `the attached file ${path}` : person;
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
  return ` (${line.length <= maxSubjectChars ? line : `${line.slice(0, maxSubjectChars).toWellFormed()}…`})`;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
