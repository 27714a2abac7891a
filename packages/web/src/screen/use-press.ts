/** Watches what the person presses in an element, because content that moves under a press takes its click away. */
import { type RefObject, useEffect } from "react";

/** The browser sends the click of a touch shortly after the finger has left the screen. */
const clickMs = 100;

/** Keeps `isPressed` true from each press in the element to its click, then calls `onClicked`. */
export function usePress(
  box: RefObject<HTMLElement | null>,
  isPressed: RefObject<boolean>,
  onClicked: () => void,
): void {
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    let press = new AbortController();
    const forget = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      press.abort();
    };
    const release = () => {
      isPressed.current = false;
      onClicked();
    };
    const end = () => {
      forget();
      // A frame begins with its scroll events, so a scroll that came meanwhile is known then.
      timer = setTimeout(() => {
        frame = requestAnimationFrame(release);
      }, clickMs);
    };
    const begin = ({ target }: PointerEvent) => {
      // A press on the element itself is on its scroll bar.
      if (target === current) return;
      forget();
      press = new AbortController();
      const { signal } = press;
      isPressed.current = true;
      addEventListener("pointerup", end, { signal });
      addEventListener("pointercancel", end, { signal });
      // The release of a scroll bar has no event, but the next move has no button.
      addEventListener("pointermove", ({ buttons }) => buttons === 0 && end(), { signal });
    };
    current.addEventListener("pointerdown", begin);
    return () => {
      current.removeEventListener("pointerdown", begin);
      forget();
      isPressed.current = false;
    };
  }, [box, isPressed, onClicked]);
}
