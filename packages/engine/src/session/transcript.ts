/** An append-only list of messages, which checks each new message. */

import type { Message, ModelMessage, ToolCall } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import { HarnessError } from "../harness-error.ts";
import { type LeftOut, sentMessages } from "./sent-messages.ts";

export interface Transcript {
  /** Adds a message. Throws `transcript-invalid`, and adds nothing, if such a message must not come next. */
  append(message: Message): void;
  /** The messages that the model reads: all except display messages. Always the same array, which grows. */
  readonly modelMessages: readonly ModelMessage[];
  /** The messages as the model gets them, without the parts that `leaveOut` removed. */
  readonly sentMessages: readonly ModelMessage[];
  /** Sets the parts that are left out of all requests from now on. */
  leaveOut(leftOut: LeftOut): void;
  /** The calls of the last assistant message that have no result yet, in order. */
  readonly openCalls: readonly ToolCall[];
}

/** Returns an empty transcript. It enforces exactly one result for each call, in the order of the calls. */
export function createTranscript(): Transcript {
  const modelMessages: ModelMessage[] = [];
  let sent: ModelMessage[] = [];
  const ids = new Set<string>();
  let openCalls: readonly ToolCall[] = [];

  function check(message: Message): void {
    if (message.role === "display") return;
    if (message.role === "tool") {
      const expected = openCalls[0];
      if (expected?.id === message.toolCallId) return;
      throw invalid(
        `a result for call ${message.toolCallId}`,
        expected === undefined ? "no call is open" : `call ${expected.id} is next`,
      );
    }
    if (openCalls.length > 0) {
      throw invalid(`a ${message.role} message`, `${countText(openCalls.length, "call")} without a result`);
    }
    if (message.role === "system" && modelMessages.length > 0) {
      throw invalid("a system message", "it can only come first");
    }
    if (message.role !== "assistant") return;
    const seen = new Set<string>();
    for (const call of message.toolCalls ?? []) {
      if (call.id === "") {
        throw invalid(`a call of ${call.name} without an id`, "its result would find no call");
      }
      if (ids.has(call.id) || seen.has(call.id)) {
        throw invalid(`a call with the id ${call.id}`, "the id was used before");
      }
      seen.add(call.id);
    }
  }

  return {
    append(message) {
      check(message);
      if (message.role === "display") return;
      modelMessages.push(message);
      sent.push(message);
      if (message.role === "tool") openCalls = openCalls.slice(1);
      if (message.role !== "assistant") return;
      openCalls = message.toolCalls ?? [];
      for (const call of openCalls) ids.add(call.id);
    },
    leaveOut(leftOut) {
      sent = sentMessages(modelMessages, leftOut);
    },
    get modelMessages() {
      return modelMessages;
    },
    get sentMessages() {
      return sent;
    },
    get openCalls() {
      return openCalls;
    },
  };
}

function invalid(what: string, why: string): HarnessError {
  return new HarnessError("transcript-invalid", `the transcript cannot take ${what}: ${why}`);
}
