/** Holds the message that the person writes: its text, its images, and the way to send it. */
import { type ImageContent, reasonOf } from "@localharness/protocol";
import { useEffect, useRef, useState } from "react";
import type { Client } from "../session/client.ts";
import { createHistory, type MessageHistory } from "../session/history.ts";
import { draftKey, type KeptDraft, keepDraft, keptDraft, newDraftKey } from "../session/kept-drafts.ts";
import { readImageFiles } from "./read-images.ts";
import { isPageCommand, runTyped } from "./run-typed.ts";

export interface HeldDraft extends KeptDraft {
  readonly isSending: boolean;
  readonly history: MessageHistory;
  setText(text: string): void;
  removeImage(at: number): void;
  addFiles(files: readonly File[]): Promise<void>;
  send(): Promise<void>;
  /** Puts messages before the text. */
  putBack(messages: readonly string[]): void;
}

/** Returns the draft of a session, or of a new one. The tab keeps the text of each draft through reloads, but no images. */
export function useDraft(client: Client, id: string | undefined): HeldDraft {
  const [sending, setSending] = useState<"message" | "command">();
  const isSending = sending !== undefined;
  const [{ text, images }, change] = useKept(draftKey(id), sending === "message");
  const history = useHistory(client, id);
  const setText = (next: string | ((before: string) => string)) =>
    change((before) => ({ ...before, text: typeof next === "string" ? next : next(before.text) }));
  const setImages = (next: (before: readonly ImageContent[]) => readonly ImageContent[]) =>
    change((before) => ({ ...before, images: next(before.images) }));
  const putBack = (messages: readonly string[]) => {
    if (messages.length === 0) return;
    setText((now) => [...messages, now].filter((part) => part !== "").join("\n\n"));
  };
  return {
    text,
    images,
    isSending,
    history: history.current,
    setText,
    removeImage: (at) => setImages((before) => before.filter((_, other) => other !== at)),
    putBack,
    async addFiles(files) {
      const read = await readImageFiles(files).catch((error: unknown) => reasonOf(error));
      if (typeof read === "string") return client.tell(read, "error");
      if (read.others.length > 0) {
        const names = read.others.join(", ");
        client.tell(
          `not a PNG, JPEG, GIF or WebP image: ${names}; name files of the workspace with @`,
          "warning",
        );
      }
      setImages((before) => [...before, ...read.images]);
    },
    async send() {
      const message = text.trim();
      if (message === "" || isSending) return;
      const isCommand = isPageCommand(message);
      setSending(isCommand ? "command" : "message");
      const given = isCommand ? [] : images;
      change((before) => ({ text: "", images: given.length === 0 ? before.images : [] }));
      const taken = await runTyped(client, message, given);
      if (taken) history.current.add(message);
      else {
        putBack([text]);
        setImages((now) => [...given, ...now]);
      }
      setSending(undefined);
    },
  };
}

const noDraft: KeptDraft = { text: "", images: [] };

/**
 * Returns the draft with this key of `sessionStorage`, and a function that changes it. If the key changes from that of a new
 * session while `isMoving`, the draft goes along to the new key.
 */
function useKept(
  key: string,
  isMoving: boolean,
): readonly [KeptDraft, (next: (before: KeptDraft) => KeptDraft) => void] {
  const [kept, setKept] = useState(() => ({ key, drafts: new Map([[key, keptDraft(key)]]) }));
  const draft = kept.drafts.get(kept.key) ?? noDraft;
  if (kept.key !== key) {
    // Sending the first message opens a session, which changes `key`: what is written meanwhile stays.
    const [left, found] = isMoving && kept.key === newDraftKey ? [noDraft, draft] : [draft, keptDraft(key)];
    setKept({
      key,
      drafts: new Map([
        [kept.key, left],
        [key, found],
      ]),
    });
  }
  useEffect(() => {
    for (const [at, one] of kept.drafts) keepDraft(at, one);
  }, [kept]);
  const change = (next: (before: KeptDraft) => KeptDraft) =>
    setKept(({ key: at, drafts }) => ({
      key: at,
      drafts: new Map(drafts).set(at, next(drafts.get(at) ?? noDraft)),
    }));
  return [draft, change];
}

function useHistory(client: Client, id: string | undefined): { current: MessageHistory } {
  const history = useRef(createHistory([]));
  useEffect(() => {
    if (id === undefined) return;
    const read = client.api.call(id, "readHistory").then((messages) => {
      history.current = createHistory(messages);
    });
    read.catch(() => undefined);
  }, [client, id]);
  return history;
}
