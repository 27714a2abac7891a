/** Watches a question on the screen: since when it is visible, whether its end was seen, and when the last key came. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { type Gate, refusalOf, settleMs } from "../session/answer-gate.ts";
import { useClient } from "./use-client.ts";

export interface AnswerGate {
  /**
   * The reference for an empty element after the content of the call, which shows that the end of the content was seen.
   */
  readonly end: RefObject<HTMLDivElement | null>;
  readonly sawEnd: boolean;
  /** True once the question may be answered with a click. */
  readonly isReady: boolean;
  /** Returns true if this answer counts now. Tells the person why not, unless it only came too soon. */
  admits(answer: { readonly allows: boolean; readonly by: "key" | "click" }): boolean;
}

export function useAnswerGate(hasText: () => boolean): AnswerGate {
  const client = useClient();
  const end = useRef<HTMLDivElement>(null);
  const since = useRef(performance.now());
  const lastKey = useRef(Number.NEGATIVE_INFINITY);
  const [sawEnd, setSawEnd] = useState(false);
  const [isReady, setReady] = useState(false);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    // The time begins again when the page is shown again, or its window gets the focus.
    const begin = () => {
      clearTimeout(timer);
      setReady(false);
      since.current = performance.now();
      timer = setTimeout(() => setReady(true), settleMs);
    };
    const pressed = () => {
      lastKey.current = performance.now();
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    addEventListener("focus", begin);
    // Keys are seen in the bubbling phase, after the handlers that ask about them.
    addEventListener("keydown", pressed);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", begin);
      removeEventListener("focus", begin);
      removeEventListener("keydown", pressed);
    };
  }, []);

  useEffect(() => {
    if (end.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSawEnd(true);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);

  return {
    end,
    sawEnd,
    isReady,
    admits(answer) {
      const now = performance.now();
      const gate: Gate = {
        visibleMs: document.hidden ? 0 : now - since.current,
        quietMs: now - lastKey.current,
        sawEnd,
        hasText: hasText(),
      };
      const refusal = refusalOf(gate, answer);
      if (refusal === "unseen") client.tell("Scroll to the end of the call before you allow it.", "warning");
      if (refusal === "typing") {
        client.tell("A digit does not answer while your message has text.", "warning");
      }
      return refusal === undefined;
    },
  };
}
