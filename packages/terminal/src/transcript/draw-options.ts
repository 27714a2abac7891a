/** Declares how an item of the transcript is drawn. */
import type { Theme } from "../theme/theme.ts";

export interface DrawOptions {
  readonly theme: Theme;
  /** True to draw the item with all its details. */
  readonly opened: boolean;
  /** True to draw calls and results as raw JSON. */
  readonly rawCalls: boolean;
}
