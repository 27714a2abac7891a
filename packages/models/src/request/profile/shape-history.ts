/**
 * Rewrites a history as a chat template demands it. Each step depends only on the messages, and works from the first to
 * the last, so that a longer history begins with the shorter one and the server's cache stays valid.
 */
import { type AssistantMessage, defined, type ModelMessage, type UserMessage } from "@localharness/protocol";
import { alternate, joinUsers } from "./alternate.ts";
import type { Habit } from "./habits.ts";
import { plainCalls } from "./plain-calls.ts";
import { createShortIds } from "./short-ids.ts";

type ShapeStep = (messages: readonly ModelMessage[]) => readonly ModelMessage[];

/**
 * The steps, in the order in which they run. The system prompt must move into a user message before user messages are
 * joined.
 */
const steps: readonly (readonly [habit: Habit, step: ShapeStep])[] = [
  ["no-images", (messages) => messages.map(withoutImages)],
  ["only-known-fields", (messages) => messages.map(withoutFields)],
  ["no-thoughts", (messages) => messages.map(withoutThought)],
  ["no-thought-beside-text", (messages) => messages.map(withoutThoughtBesideText)],
  ["calls-without-content", splitText],
  ["null-beside-calls", splitText],
  ["one-call-a-message", splitCalls],
  ["nine-character-ids", shortenIds],
  ["results-as-user", resultsInUser],
  ["no-system-role", systemInUser],
  ["alternating-roles", alternate],
];

export const noHabits: ReadonlySet<Habit> = new Set();

export function shapeHistory(
  messages: readonly ModelMessage[],
  habits: ReadonlySet<Habit> = noHabits,
): readonly ModelMessage[] {
  let shaped = plainCalls(messages.filter((message) => !isEmptyAnswer(message)));
  for (const [habit, step] of steps) if (habits.has(habit)) shaped = [...step(shaped)];
  return shaped;
}

/**
 * Returns true for an empty answer, which is left when the model was cut off while thinking. Some servers refuse it,
 * and would then refuse every later request too.
 */
function isEmptyAnswer(message: ModelMessage): boolean {
  return message.role === "assistant" && message.content === "" && (message.toolCalls ?? []).length === 0;
}

/** Returns the message without its images, and with a line at the end of its text that says so. */
export function withoutImages(message: ModelMessage): ModelMessage {
  if (message.role !== "user" || message.images === undefined) return message;
  const { images: _unseen, ...rest } = message;
  return { ...rest, content: `${rest.content}\n(You cannot see images, so they are left out.)` };
}

/** Returns the message without the fields that its server sent beside text, thought and calls. */
function withoutFields(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant" || message.origin === undefined) return message;
  const { toolCalls, origin, ...rest } = message;
  const { fields: _unsent, ...known } = origin;
  const calls = toolCalls?.map(({ fields: _fields, ...call }) => call);
  return { ...rest, origin: known, ...defined({ toolCalls: calls }) };
}

/** Returns the message without its thought, and without the fields of the message, because they may repeat the thought. */
function withoutThought(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant") return message;
  if (message.reasoning === undefined && message.origin?.fields === undefined) return message;
  const { reasoning: _unsent, origin, ...rest } = message;
  return origin === undefined ? rest : { ...rest, origin: { madeBy: origin.madeBy } };
}

function withoutThoughtBesideText(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant" || message.content === "") return message;
  return (message.toolCalls ?? []).length === 0 ? message : withoutThought(message);
}

/** Moves the text beside calls into a message before them. */
function splitText(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.flatMap((message): readonly ModelMessage[] => {
    if (message.role !== "assistant" || message.content === "") return [message];
    if ((message.toolCalls ?? []).length === 0) return [message];
    return [
      { role: "assistant", content: message.content },
      { ...message, content: "" },
    ];
  });
}

/** Splits a message with several calls into one message per call, each followed by the result of its call. */
function splitCalls(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const split: ModelMessage[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) continue;
    if (message.role !== "assistant" || (message.toolCalls ?? []).length < 2) {
      split.push(message);
      continue;
    }
    const results: ModelMessage[] = [];
    for (let next = messages[at + 1]; next?.role === "tool"; next = messages[at + 1]) {
      results.push(next);
      at += 1;
    }
    split.push(...eachCall(message, results));
  }
  return split;
}

function eachCall(message: AssistantMessage, results: readonly ModelMessage[]): readonly ModelMessage[] {
  const left = [...results];
  const each: ModelMessage[] = [];
  for (const [place, call] of (message.toolCalls ?? []).entries()) {
    each.push(
      place === 0 ? { ...message, toolCalls: [call] } : { role: "assistant", content: "", toolCalls: [call] },
    );
    const at = left.findIndex((result) => result.role === "tool" && result.toolCallId === call.id);
    if (at !== -1) each.push(...left.splice(at, 1));
  }
  return [...each, ...left];
}

function shortenIds(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ids = createShortIds();
  return messages.map((message) => {
    if (message.role === "tool") return { ...message, toolCallId: ids.of(message.toolCallId) };
    if (message.role !== "assistant" || message.toolCalls === undefined) return message;
    return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: ids.of(call.id) })) };
  });
}

/** Turns each result without a native call into a user message. Joins it to a user message right before it. */
function resultsInUser(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const called = new Set<string>();
  const out: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) called.add(id);
    if (message.role !== "tool" || called.has(message.toolCallId)) {
      out.push(message);
      continue;
    }
    const user: UserMessage = { role: "user", content: message.content, from: "harness" };
    const last = out.at(-1);
    if (last?.role === "user") out[out.length - 1] = joinUsers(last, user);
    else out.push(user);
  }
  return out;
}

function systemInUser(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const [system, first, ...rest] = messages;
  if (system?.role !== "system") return messages;
  if (first?.role === "user") {
    return [{ ...first, content: `${system.content}\n\n${first.content}` }, ...rest];
  }
  const user: UserMessage = { role: "user", content: system.content, from: "harness" };
  return first === undefined ? [user] : [user, first, ...rest];
}
