/** The field in which the person writes: messages, images, paths after `@`, commands after `/` and `!`. */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { MessageHistory } from "../session/history.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ImageRow } from "./image-row.tsx";
import { Suggestions, useSuggestions } from "./suggestions.tsx";
import { useClient, useSession } from "./use-client.ts";
import { useDraft } from "./use-draft.ts";

export function Composer(): ReactNode {
  const client = useClient();
  const id = useSession((session) => session.id);
  const isRunning = useSession(({ view }) => view.turn.running) === true;
  const draft = useDraft(client, id);
  const field = useRef<HTMLTextAreaElement>(null);
  const suggestions = useSuggestions(field, draft.text, draft.setText);
  useGrowing(field, draft.text);
  const stop = async () => draft.putBack(await client.interrupt());
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || suggestions.onKeyDown(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void draft.send();
    }
    if (event.key === "Escape" && isRunning) void stop();
    if (event.key === "ArrowUp" || event.key === "ArrowDown") recall(event, draft.history, draft.setText);
  };
  return (
    <search
      aria-label="Message"
      className="relative block rounded-2xl border border-line bg-surface shadow-lift focus-within:border-line-strong"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void draft.addFiles([...event.dataTransfer.files]);
      }}
    >
      <Suggestions of={suggestions} />
      <ImageRow images={draft.images} remove={draft.removeImage} />
      <textarea
        ref={field}
        id="message"
        rows={1}
        aria-label="Message to the model"
        aria-autocomplete="list"
        aria-controls={suggestions.isOpen ? "suggestions" : undefined}
        aria-activedescendant={suggestions.isOpen ? `suggestion-${suggestions.chosen}` : undefined}
        className="block max-h-[40dvh] w-full resize-none bg-transparent px-4 pt-3 pb-1 text-[14.5px] leading-[1.55] placeholder:text-dim focus:outline-none max-sm:text-[16px]"
        placeholder={isRunning ? "Steer the work…" : "Ask for anything. @ names files, / runs commands"}
        value={draft.text}
        onChange={(event) => draft.setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void draft.addFiles(files);
        }}
      />
      <ComposerBar isRunning={isRunning} draft={draft} stop={() => void stop()} />
    </search>
  );
}

function recall(
  event: React.KeyboardEvent<HTMLTextAreaElement>,
  history: MessageHistory,
  show: (text: string) => void,
): void {
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const isUp = event.key === "ArrowUp";
  const around = isUp ? value.slice(0, selectionStart) : value.slice(selectionEnd);
  if (selectionStart !== selectionEnd || around.includes("\n") || event.shiftKey) return;
  const found = history.step(isUp ? -1 : 1, value);
  if (found === undefined) return;
  event.preventDefault();
  show(found);
}

/** Lets the field grow with its text. */
function useGrowing(field: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    if (field.current === null) return;
    field.current.style.height = "auto";
    field.current.style.height = `${field.current.scrollHeight}px`;
  }, [field, text]);
}
