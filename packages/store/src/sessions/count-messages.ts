/** Keeps the summary of a session up to date with each event: its name, title, number of messages and model. */
import type { SessionEvent } from "@localharness/protocol";
import type { SessionNote } from "./session-record.ts";

const titleChars = 100;

export interface MessageCounter {
  count(event: SessionEvent): void;
  rename(name: string): void;
  note(): SessionNote;
}

export function createMessageCounter(name?: string): MessageCounter {
  let called = name;
  let title = "";
  let messages = 0;
  let model = "";
  let said = false;
  return {
    count(event) {
      switch (event.type) {
        case "session-start":
        case "session-resumed":
        case "model-changed":
          model = event.model;
          return;
        case "user-message":
          if (event.from !== "person") return;
          messages += 1;
          if (title === "") title = titleOf(event.content);
          return;
        case "text-delta":
        case "reasoning-delta":
        case "tool-call-end":
        case "tool-call-error":
          said = true;
          return;
        case "answer-restart":
          said = false;
          return;
        case "model-end":
        case "model-error":
          if (said) messages += 1;
          said = false;
      }
    },
    rename(to) {
      called = to;
    },
    note: () => ({
      ...(called === undefined || called === "" ? {} : { name: called }),
      title,
      messages,
      model,
    }),
  };
}

/** Returns the beginning of a message on one line: at most `most` UTF-16 units, and an ellipsis if there are more. */
export function titleOf(content: string, most = titleChars): string {
  const line = content
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
