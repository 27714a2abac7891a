/** Completes paths after `@` while the person types. */
import { visibleLine } from "@localharness/protocol";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Api } from "../connection/api.ts";
import { Icon } from "../parts/icon.tsx";
import { matching } from "../parts/match.ts";
import { mentionAt, type TypedMention, withPath } from "../session/mention-at.ts";
import { useClient, useSession } from "./use-client.ts";

const maxShown = 8;

export interface OpenSuggestions {
  readonly isOpen: boolean;
  readonly paths: readonly string[];
  readonly chosen: number;
  take(path: string): void;
  /** Returns true if the key belongs to the list. */
  onKeyDown(event: React.KeyboardEvent): boolean;
}

export function useSuggestions(
  field: React.RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): OpenSuggestions {
  const client = useClient();
  const id = useSession((session) => session.id);
  const [found, setFound] = useState<{ readonly of: TypedMention; readonly paths: readonly string[] }>();
  const [chosen, setChosen] = useState(0);
  const cursorAfter = useRef<number>(undefined);

  useEffect(() => {
    const mention = mentionAt(text, field.current?.selectionStart ?? text.length);
    if (mention === undefined) return setFound(undefined);
    let isCurrent = true;
    const asked = completed(client.api, id, mention.typed).then((paths) => {
      if (!isCurrent) return;
      setFound(paths.length === 0 ? undefined : { of: mention, paths });
      setChosen(0);
    });
    asked.catch(() => setFound(undefined));
    return () => {
      isCurrent = false;
    };
  }, [client, id, text, field]);

  useLayoutEffect(() => {
    if (cursorAfter.current === undefined || field.current?.value !== text) return;
    field.current.setSelectionRange(cursorAfter.current, cursorAfter.current);
    cursorAfter.current = undefined;
  }, [text, field]);

  const take = (path: string) => {
    const { current } = field;
    if (found === undefined || current === null) return;
    const edited = withPath(current.value, current.selectionStart, found.of, path);
    cursorAfter.current = edited.cursor;
    setText(edited.text);
    setFound(undefined);
    current.focus();
  };
  const paths = found?.paths ?? [];
  return {
    isOpen: found !== undefined,
    paths,
    chosen,
    take,
    onKeyDown(event) {
      if (found === undefined) return false;
      const path = paths[chosen];
      if (event.key === "ArrowDown") setChosen((chosen + 1) % paths.length);
      else if (event.key === "ArrowUp") setChosen((chosen + paths.length - 1) % paths.length);
      else if ((event.key === "Enter" || event.key === "Tab") && path !== undefined) take(path);
      else if (event.key === "Escape") setFound(undefined);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

/** Returns the paths that match a text. Without a session it searches the list of files. */
async function completed(api: Api, id: string | undefined, typed: string): Promise<readonly string[]> {
  if (id !== undefined) return api.call(id, "completePath", typed, maxShown);
  const rows = (await api.files()).map((path) => ({ label: path, about: "" }));
  return matching(rows, typed)
    .slice(0, maxShown)
    .map(({ label }) => label);
}

export function Suggestions({ of }: { readonly of: OpenSuggestions }): ReactNode {
  if (!of.isOpen) return null;
  return (
    <div
      id="suggestions"
      role="listbox"
      aria-label="Paths"
      className="absolute bottom-full left-2 z-10 mb-1.5 max-w-[calc(100%-1rem)] min-w-64 rounded-xl border border-line bg-raised p-1 shadow-lift"
    >
      {of.paths.map((path, at) => (
        <div
          key={path}
          id={`suggestion-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === of.chosen}
          className={`flex cursor-pointer items-center gap-2 rounded-lg px-2.5 py-1 font-mono text-[12.5px] ${at === of.chosen ? "bg-sunken" : ""}`}
          onPointerDown={(event) => {
            event.preventDefault();
            of.take(path);
          }}
        >
          <Icon name={path.endsWith("/") ? "folder" : "file"} className="text-dim" />
          <span className="truncate">{visibleLine(path)}</span>
        </div>
      ))}
    </div>
  );
}
