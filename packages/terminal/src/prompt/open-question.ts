/** Manages the open permission question, and decides from the timing of keys which keys may answer it. */
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { pasteMs } from "../screen/unmarked-pastes.ts";
import type { Theme } from "../theme/theme.ts";
import { createHeldKey } from "./held-key.ts";
import { PermissionPrompt } from "./permission-prompt.ts";
import type { MoreOfAnswer } from "./permission-prompt-options.ts";
import type { OpenPlanEditor } from "./plan-editor.ts";

export interface OpenQuestion {
  /** Shows the request that the session asks about. Closes the question if there is no request. */
  settle(request: PermissionRequest | undefined): void;
  prompt(): PermissionPrompt | undefined;
  /** Called after each key or paste, wherever it went. */
  pressed(): void;
  /** Called when a dialog covers the screen. When the dialog is gone, the question counts as newly shown. */
  cover(): void;
}

export interface QuestionParts {
  theme(): Theme;
  /** Returns the maximum number of rows for the question. */
  rows(): number;
  redraw(): void;
  /** Returns the text of the editor. */
  draft(): string;
  /** Passes on a key that is not meant for the question. */
  toEditor(data: string): void;
  pasteToEditor(text: string): void;
  answer(requestId: string, answer: PermissionAnswer, note?: string, more?: MoreOfAnswer): void;
  /** Opens the field in which a plan is edited. */
  readonly openEditor?: OpenPlanEditor;
}

/**
 * A key can answer only after the question has been visible, and no other key was pressed, for this many milliseconds.
 * Within the same time after a key that allows, every other key voids the answer, except an Enter that confirms a digit.
 */
const quietMs = 300;

export function createOpenQuestion(parts: QuestionParts): OpenQuestion {
  let open: { readonly requestId: string; readonly prompt: PermissionPrompt } | undefined;
  let lastKey = Number.NEGATIVE_INFINITY;
  /** The time when the question was first drawn; undefined before that. */
  let visibleSince: number | undefined;
  let ready = false;
  const held = createHeldKey({
    quietMs,
    pasteMs,
    settle() {
      open?.prompt.settleHeld();
      parts.redraw();
    },
    drop: () => open?.prompt.dropHeld(),
  });

  function isReady(): boolean {
    ready ||= visibleSince !== undefined && performance.now() - Math.max(visibleSince, lastKey) >= quietMs;
    return ready;
  }

  function rest(): void {
    visibleSince = undefined;
    ready = false;
    held.forget();
    parts.redraw();
  }

  function startOver(): void {
    rest();
    open?.prompt.startOver();
  }

  function drawn(): void {
    if (visibleSince !== undefined) return;
    visibleSince = performance.now();
    const since = visibleSince;
    const look = () => {
      if (visibleSince !== since) return;
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
        isApart: held.isApart,
        rest,
        startOver,
        answer: (answer, note, more) => parts.answer(requestId, answer, note, more),
        openEditor: parts.openEditor,
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
