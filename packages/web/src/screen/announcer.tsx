/** Says to a screen reader what happens in the session, and to the desktop what waits for the person. */
import { askerText, gradeText, visibleLine } from "@localharness/protocol";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { SessionState } from "../session/session-state.ts";
import { useClientState, useSession, useUi } from "./use-client.ts";
import { useSessionName } from "./use-session-name.ts";

export function Announcer(): ReactNode {
  const text = useNews();
  useTitle();
  useNotification(text);
  return (
    <p className="sr-only" role="status" aria-live="polite" aria-label="News of the session">
      {text}
    </p>
  );
}

/** Returns a sentence about the newest event that a person should hear of; empty if there is none. */
function useNews(): string {
  return useSession(newsOf) ?? "";
}

function newsOf({ questions, view, items }: SessionState): string {
  const [question] = questions;
  if (question !== undefined) {
    return `Permission needed: ${visibleLine(question.toolName)}, ${gradeText(question).text}.`;
  }
  if (view.question !== undefined) return `You are asked by ${visibleLine(askerText(view.question))}.`;
  const last = items.at(-1);
  if (view.turn.running) return "The model works.";
  if (last?.kind !== "end") return "";
  if (last.reason === "interrupted") return "Interrupted.";
  if (last.reason === "error") return `The turn failed: ${visibleLine(last.message ?? "")}`;
  const answer = items.findLast((item) => item.kind === "answer");
  return answer?.kind === "answer"
    ? `Answer: ${visibleLine(answer.text.slice(0, 300))}`
    : "The turn has ended.";
}

/** The tab's title names the session, with a mark while a turn runs or a question waits. */
function useTitle(): void {
  const name = useSessionName();
  const mark = useSession(({ questions, view }) =>
    questions.length > 0 || view.question !== undefined ? "? " : view.turn.running ? "● " : "",
  );
  useEffect(() => {
    document.title = `${mark ?? ""}${name === "" ? "Local Harness" : visibleLine(name)}`;
  }, [mark, name]);
}

/** Tells the desktop about a question or the end of a turn while the page is hidden. */
function useNotification(news: string): void {
  const isWanted = useUi(({ notifies }) => notifies);
  const name = useSessionName();
  const before = useRef(news);
  const shown = useSession(({ id }) => id);
  const waiting = useClientState(({ rooms }) =>
    rooms.reduce((sum, room) => sum + (room.id === shown ? 0 : room.questions), 0),
  );
  const [told, setTold] = useState(waiting);
  useEffect(() => {
    const isNew = before.current !== news && !/^(?:$|The model works)/.test(news);
    before.current = news;
    if (!isWanted || !document.hidden || Notification.permission !== "granted") return;
    if (isNew) notify(name, news);
    else if (waiting > told) notify("Local Harness", "A question waits in another session.");
    setTold(waiting);
  }, [news, isWanted, name, waiting, told]);
}

function notify(title: string, body: string): void {
  const made = new Notification(title === "" ? "Local Harness" : visibleLine(title), {
    body,
    icon: "/icon-192.png",
    tag: "localharness",
  });
  made.onclick = () => window.focus();
}
