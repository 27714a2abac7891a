/** Holds the message that the person writes: its text, its images, and the way to send it. */
import { type ImageContent, reasonOf } from "@localharness/protocol";
import { useEffect, useRef, useState } from "react";
import type { Client } from "../session/client.ts";
import { createHistory, type MessageHistory } from "../session/history.ts";
import { readImageFiles } from "./read-images.ts";
import { runTyped } from "./run-typed.ts";

export interface HeldDraft {
  readonly text: string;
  readonly images: readonly ImageContent[];
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
  const place = `localharness.draft.${id ?? "new"}`;
  const [kept, setKept] = useState(() => ({ place, text: keptText(place) }));
  const [images, setImages] = useState<readonly ImageContent[]>([]);
  const [isSending, setSending] = useState(false);
  const history = useHistory(client, id);
  const { text } = kept;
  // Sending the first message opens a session, which changes `place`: text that is typed meanwhile stays.
  if (kept.place !== place) setKept({ place, text: isSending ? text : keptText(place) });
  const setText = (next: string | ((before: string) => string)) =>
    setKept((before) => ({ ...before, text: typeof next === "string" ? next : next(before.text) }));
  useEffect(() => {
    if (kept.text === "") sessionStorage.removeItem(kept.place);
    else sessionStorage.setItem(kept.place, kept.text);
  }, [kept]);
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
    removeImage: (at) => setImages(images.filter((_, other) => other !== at)),
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
      setSending(true);
      setText("");
      setImages([]);
      const taken = await runTyped(client, message, images);
      if (taken) history.current.add(message);
      else {
        putBack([text]);
        setImages((now) => [...images, ...now]);
      }
      setSending(false);
    },
  };
}

function keptText(place: string): string {
  return sessionStorage.getItem(place) ?? "";
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
