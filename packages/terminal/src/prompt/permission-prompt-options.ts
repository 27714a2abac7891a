/** What the permission question needs: the request, and how it reaches the editor, the clock and the session. */
import type { PermissionAnswer, PermissionRequest, PlanApproval } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";
import type { OpenPlanEditor } from "./plan-editor.ts";

/** The approval of a plan, the offer that the person took, or that an answer has the wider scope. */
export type MoreOfAnswer = PlanApproval | { readonly offer: string } | { readonly wider: true };

export interface PermissionPromptOptions {
  readonly request: PermissionRequest;
  readonly theme: Theme;
  /** Returns the maximum number of rows for the prompt. */
  rows(): number;
  /** Called each time the prompt is drawn. */
  drawn(): void;
  /** Returns false while a key may have been meant for something else. */
  ready(): boolean;
  /** Returns the unsent text of the editor. */
  draft(): string;
  /** Passes a key to the editor: a key pressed before the prompt is ready, or a key that edits a draft. */
  toEditor(data: string): void;
  pasteToEditor(text: string): void;
  /** Holds the current key. Later calls the prompt's `settleHeld` if no other key has followed, or else its `dropHeld`. */
  hold(): void;
  /** Returns true if a key that comes now cannot be from the same paste as the held key. */
  isApart(): boolean;
  /** Makes the question ignore keys for a moment, so that the next keys do not answer it. */
  rest(): void;
  /** Does the same as `rest`, but passes the next keys to the editor. */
  startOver(): void;
  answer(answer: PermissionAnswer, note?: string, more?: MoreOfAnswer): void;
  /** Opens the field in which a plan is edited. */
  readonly openEditor?: OpenPlanEditor | undefined;
}
