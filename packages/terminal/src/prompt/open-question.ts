/** The question that is open, from when it comes in sight until it is answered: which keys are meant for it. */
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";
import { createHeldKey } from "./held-key.ts";
import { PermissionPrompt } from "./permission-prompt.ts";

export interface OpenQuestion {
  /** Follows what the session asks; undefined: nothing. */
  settle(request: PermissionRequest | undefined): void;
  prompt(): PermissionPrompt | undefined;
  /** A key or a paste came, whatever it was meant for. */
  pressed(): void;
  /** Something has the whole screen: what comes out from behind it is as good as new. */
  cover(): void;
}

export interface QuestionParts {
  theme(): Theme;
  /** Rows that a question may take at most. */
  rows(): number;
  redraw(): void;
  /** What stands in the editor. */
  draft(): string;
  /** Gets keys that are not meant for the question. */
  toEditor(data: string): void;
  pasteToEditor(text: string): void;
  answer(requestId: string, answer: PermissionAnswer, note?: string): void;
}

/**
 * No key answers a question that has been in sight for less than this, or while keys come in a row. One that allows counts
 * when no other follows it for as long.
 */
const quietMs = 300;

export function createOpenQuestion(parts: QuestionParts): OpenQuestion {
  let open: { readonly requestId: string; readonly prompt: PermissionPrompt } | undefined;
  let lastKey = Number.NEGATIVE_INFINITY;
  /** Undefined as long as the question has not been drawn. */
  let inSight: number | undefined;
  let ready = false;
  const held = createHeldKey({
    quietMs,
    settle() {
      open?.prompt.settleHeld();
      parts.redraw();
    },
    drop: () => open?.prompt.dropHeld(),
  });

  function isReady(): boolean {
    ready ||= inSight !== undefined && performance.now() - Math.max(inSight, lastKey) >= quietMs;
    return ready;
  }

  function rest(): void {
    inSight = undefined;
    ready = false;
    held.forget();
    parts.redraw();
  }

  function startOver(): void {
    rest();
    open?.prompt.startOver();
  }

  function drawn(): void {
    if (inSight !== undefined) return;
    inSight = performance.now();
    const since = inSight;
    const look = () => {
      if (inSight !== since) return;
      if (isReady()) parts.redraw();
      else setTimeout(look, 50).unref();
    };
    setTimeout(look, quietMs).unref();
  }

  return {
    settle(request) {
      if (request?.requestId === open?.requestId) return;
      rest();
      open = undefined;
      if (request === undefined) return;
      const { requestId } = request;
      const prompt = new PermissionPrompt({
        request,
        theme: parts.theme(),
        rows: parts.rows,
        drawn,
        ready: isReady,
        draft: parts.draft,
        toEditor: parts.toEditor,
        pasteToEditor: parts.pasteToEditor,
        hold: held.hold,
        rest,
        startOver,
        answer: (answer, note) => parts.answer(requestId, answer, note),
      });
      open = { requestId, prompt };
      parts.redraw();
    },
    prompt: () => open?.prompt,
    pressed() {
      lastKey = performance.now();
      held.pressed();
    },
    cover: startOver,
  };
}
