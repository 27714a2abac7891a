/**
 * Shows the person what the session does: in the terminal's title, and by a notification, by default only if another window
 * has the focus.
 */
import { basename } from "node:path";
import { askerText, emptyView, type View } from "@localharness/protocol";
import { type NotifyKind, notification, shortLine } from "./notification.ts";

/** The settings of this module, by their keys. */
export interface AttentionSettings {
  readonly notify?: NotifyKind;
  readonly notify_when?: "away" | "always";
  readonly terminal_title?: boolean;
}

export interface Attention {
  /**
   * Takes the state of another session that is now shown. Does not notify the person of what that session did before.
   */
  startOver(view: View): void;
  /**
   * Takes the newest state of the session: notifies the person of a question or the end of a turn, and sets the title.
   */
  settle(view: View): void;
  /** Takes the name of the session; empty if it has no name. */
  rename(name: string): void;
  /** Takes the terminal's report: true if its window has the focus. */
  focus(on: boolean): void;
}

/** The functions of the terminal that this module uses. */
export interface AttentionTerminal {
  setTitle(title: string): void;
  notify(sequence: string): void;
}

export function createAttention(
  settings: AttentionSettings,
  terminal: AttentionTerminal,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Attention {
  // A terminal that does not report its focus counts as focused.
  let away = false;
  let known: View = emptyView;
  let name = "";
  let title = "";

  function tell(text: string): void {
    if (!away && settings.notify_when !== "always") return;
    terminal.notify(notification(settings.notify ?? "auto", text, env));
  }

  function tellNews(view: View): void {
    const asked = questionOf(view);
    if (asked !== undefined && asked.id !== questionOf(known)?.id) tell(asked.text);
    else if (known.turn.running && !view.turn.running) tell(endText(view.lastEnd?.reason));
  }

  function showTitle(): void {
    const next = titleOf(known, name);
    if (next === title) return;
    title = next;
    terminal.setTitle(next);
  }

  return {
    startOver(view) {
      known = view;
      name = "";
      showTitle();
    },
    settle(view) {
      tellNews(view);
      known = view;
      showTitle();
    },
    rename(given) {
      name = given;
      showTitle();
    },
    focus(on) {
      away = !on;
    },
  };
}

/** Returns the id of the question that waits for the person, and what to tell of it; undefined if none waits. */
function questionOf({
  permission,
  question,
}: View): { readonly id: string; readonly text: string } | undefined {
  if (permission !== undefined) {
    return { id: permission.requestId, text: `asks about ${permission.toolName}` };
  }
  if (question === undefined) return undefined;
  return { id: question.questionId, text: `${askerText(question)} asks you` };
}

function endText(reason: NonNullable<View["lastEnd"]>["reason"] | undefined): string {
  if (reason === "error") return "the turn ended with an error";
  return reason === "interrupted" ? "the turn was interrupted" : "the turn has ended";
}

/**
 * Returns the title: the session's name, or else the first message or the folder. The prefix is `?` while a question
 * is open, and else `●` while a turn runs.
 */
function titleOf(view: View, given: string): string {
  const { messages, turn, session } = view;
  const first = messages.find((message) => message.role === "user" && message.from === "person");
  const folder = basename(session?.workspace ?? process.cwd());
  const name = shortLine(given === "" ? (first?.content ?? folder) : given);
  const mark = questionOf(view) !== undefined ? "? " : turn.running ? "● " : "";
  return `${mark}${name} · localharness`;
}
