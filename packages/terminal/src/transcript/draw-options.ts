/** Declares how an item of the transcript is drawn. */
import type { Theme } from "../theme/theme.ts";

export interface DrawOptions {
  readonly theme: Theme;
  /** Whether the item is drawn with all its details. */
  readonly opened: boolean;
  /** Whether calls and results are drawn as raw JSON. */
  readonly rawCalls: boolean;
}
