/**
 * Finds the texts that a model may quote: the system prompt with its instructions, messages, results of tools with their errors
 * and notes, and descriptions of tools that come from outside of the program.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelMessage,
  type UserMessage,
} from "@localharness/protocol";
import type { ToolDefinition } from "../model.ts";

export interface Source {
  /** The name of the text, in words for the person: `the result of read_file (README.md)`. */
  readonly label: string;
  readonly text: string;
}

const maxSubjectChars = 60;

/** Returns a function that takes the messages one by one, in order, and returns the texts of each message. */
export function createSourceReader(person: string): (message: ModelMessage) => readonly Source[] {
  const subjects = new Map<string, string>();
  return (message) => {
    switch (message.role) {
      case "system":
        return [{ label: "the instructions in the system prompt", text: message.content }];
      case "assistant":
        subjects.clear();
        for (const { id, arguments: args } of message.toolCalls ?? []) subjects.set(id, subjectOf(args));
        return [];
      case "user":
        return [{ label: labelOf(message, person), text: message.content }];
      case "tool": {
        const label = `the result of ${message.toolName}${subjects.get(message.toolCallId) ?? ""}`;
        return textsOfResult(message.content).map((text) => ({ label, text }));
      }
    }
  };
}

function labelOf({ from, path }: UserMessage, person: string): string {
  // A note of the harness may contain what a hook, a job or a server said.
  if (from === "harness") return "a note to the model";
  return from === "file" ? `the attached file ${path}` : person;
}

/** Returns the texts of a result. An error and a note may contain what a server, a program or a hook said. */
function textsOfResult(content: string): readonly string[] {
  const result = parse(content);
  if (!isJsonObject(result) || !("success" in result)) return [content];
  const { data, error_message: message, notes } = result;
  return [data, message, ...(Array.isArray(notes) ? notes : [])].filter((text) => typeof text === "string");
}

/** Returns the description of a tool with those of its parameters. */
export function sourceOfTool({ name, description, parameters }: ToolDefinition): Source {
  const texts = [name, description, ...textsIn(parameters)];
  return { label: `the description of the tool ${name}`, text: texts.join("\n") };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([key, inner]) => (key === "type" ? [] : [key, ...textsIn(inner)]));
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
