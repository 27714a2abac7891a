/** The transcript as a virtual list that stays at its end while the person does not scroll away. */
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { ErrorGuard } from "../parts/error-guard.tsx";
import { Icon } from "../parts/icon.tsx";
import { ItemView } from "./item-view.tsx";
import { useSession } from "./use-client.ts";
import { OpenedContext } from "./use-opened.ts";
import { usePress } from "./use-press.ts";
import { WorkingLine } from "./working-line.tsx";

const nearEndPx = 48;

export function Transcript(): ReactNode {
  const items = useSession((session) => session.items) ?? [];
  const isLoaded = useSession(({ loaded }) => loaded) === true;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { isAtEnd, onScroll, toEnd, stay, keep } = useEnd(box, isLoaded);
  const id = useSession((session) => session.id);
  const asked = items.findLast((item) => item.kind === "user" && item.from === "person")?.key;
  // A message of the person shows the end again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each new message.
  useEffect(toEnd, [asked, toEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys of items are unique only within a session.
  const opened = useMemo(() => ({ known: new Map<string, boolean>(), onChange: stay }), [id, stay]);
  return (
    <OpenedContext value={opened}>
      <div
        ref={box}
        id="transcript"
        role="log"
        aria-live="off"
        aria-label="Transcript"
        aria-busy={!isLoaded}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:outline-offset-[-2px]"
        onScroll={onScroll}
      >
        <div className="mx-auto w-full max-w-[52rem] px-3 pt-5 pb-4 sm:px-5">
          <h2 className="sr-only">Transcript</h2>
          {isLoaded ? (
            <Virtualizer ref={list} scrollRef={box} startMargin={20} onResize={keep}>
              {items.map((item, at) => (
                // The list takes no presses while the view moves, such as with the lines of an answer. Its items do.
                <div
                  key={item.key}
                  className={`pointer-events-auto ${gapOf(item.kind, items[at - 1]?.kind)}`}
                >
                  <ErrorGuard>
                    <ItemView item={item} />
                  </ErrorGuard>
                </div>
              ))}
            </Virtualizer>
          ) : (
            <Loading />
          )}
          <WorkingLine />
        </div>
      </div>
      {isAtEnd ? null : (
        <button
          type="button"
          className="absolute bottom-3 left-1/2 flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full border border-line bg-raised px-3 text-[12.5px] shadow-lift"
          onClick={toEnd}
        >
          <Icon name="down" /> To the end
        </button>
      )}
    </OpenedContext>
  );
}

/** Returns the CSS class of the space above an item. Consecutive calls have little space between them. */
function gapOf(kind: string, before: string | undefined): string {
  if (before === undefined) return "";
  const isTight = kind === "end" || (kind === "call" && before === "call") || before === "thought";
  return isTight ? "pt-1.5" : kind === "user" ? "pt-7" : "pt-4";
}

function Loading(): ReactNode {
  return (
    <div className="space-y-3 py-2" role="status" aria-label="The session is loading">
      {["w-2/3", "w-full", "w-5/6"].map((width) => (
        <div key={width} className={`h-4 animate-pulse rounded bg-line ${width}`} />
      ))}
    </div>
  );
}

/** Keeps the end in view while content grows, until the person scrolls up. */
function useEnd(box: React.RefObject<HTMLDivElement | null>, isLoaded: boolean) {
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const isPressed = useRef(false);
  /** The scroll position after the last scroll, by the person or by this hook. */
  const last = useRef(0);
  const showEnd = useCallback(() => {
    const { current } = box;
    if (current === null) return;
    current.scrollTop = current.scrollHeight;
    last.current = current.scrollTop;
  }, [box]);
  const toEnd = useCallback(() => {
    follows.current = true;
    setAtEnd(true);
    showEnd();
  }, [showEnd]);
  /** Stops following the end, so that an item that the person opens stays in view. */
  const stay = useCallback(() => {
    follows.current = false;
  }, []);
  const onScroll = useCallback(() => {
    const { current } = box;
    if (current === null) return;
    const left = leftOf(current);
    // Only a scroll upwards leaves the end. Content that grows also moves the view away from the end, and content that
    // shrinks moves it upwards, but then the person did not scroll.
    if (left <= nearEndPx) follows.current = true;
    else if (current.scrollTop < last.current - 2) follows.current = false;
    last.current = current.scrollTop;
    setAtEnd(follows.current || left <= nearEndPx);
  }, [box]);
  const keep = useCallback(() => {
    const { current } = box;
    if (current === null || isPressed.current) return;
    if (follows.current) showEnd();
    else setAtEnd(leftOf(current) <= nearEndPx);
  }, [box, showEnd]);
  usePress(box, isPressed, keep);
  useLayoutEffect(() => {
    const { current } = box;
    const content = current?.firstElementChild;
    if (current === null || content === null || content === undefined) return;
    const observer = new ResizeObserver(keep);
    observer.observe(content);
    observer.observe(current);
    return () => observer.disconnect();
  }, [box, keep]);
  useEffect(() => {
    if (isLoaded) toEnd();
  }, [isLoaded, toEnd]);
  return { isAtEnd, onScroll, toEnd, stay, keep };
}

/** Returns the pixels below the view. */
function leftOf({ scrollHeight, scrollTop, clientHeight }: HTMLDivElement): number {
  return scrollHeight - scrollTop - clientHeight;
}
