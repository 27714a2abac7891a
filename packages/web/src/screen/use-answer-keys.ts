/** Lets the digits answer a question, when nothing else follows the key. */
import { useEffect, useRef } from "react";
import { settleMs } from "../session/answer-gate.ts";

/** Calls `choose` with the index, from 0, of a digit that was pressed alone: no other key came 300 ms before or after it. */
export function useAnswerKeys(count: number, choose: (index: number) => void): void {
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let held = "";
    let lastKey = performance.now();
    const onKey = (event: KeyboardEvent) => {
      const wasQuiet = performance.now() - lastKey >= settleMs;
      lastKey = performance.now();
      clearTimeout(timer);
      // A digit that another key follows is the beginning of a message.
      if (held !== "") returnToComposer(held, event);
      held = "";
      if (!wasQuiet || !isAnswerKey(event, count)) return;
      event.preventDefault();
      held = event.key;
      timer = setTimeout(() => {
        held = "";
        latest.current(Number(event.key) - 1);
      }, settleMs + 10);
    };
    // The capturing phase comes before the composer takes the digit as text.
    addEventListener("keydown", onKey, true);
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", onKey, true);
    };
  }, [count]);
}

function isAnswerKey(event: KeyboardEvent, count: number): boolean {
  const { key, target, isComposing } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isComposing) return false;
  if (!/^[1-9]$/.test(key) || Number(key) > count) return false;
  if (document.querySelector("dialog[open]") !== null) return false;
  // In a field a digit is text, but in an empty composer it may answer.
  if (target instanceof HTMLTextAreaElement && target.id === "message") return target.value === "";
  return !(
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}

function returnToComposer(text: string, { target }: KeyboardEvent): void {
  if (!(target instanceof HTMLTextAreaElement) || target.id !== "message") return;
  target.setRangeText(text, target.selectionStart, target.selectionEnd, "end");
  target.dispatchEvent(new Event("input", { bubbles: true }));
}
