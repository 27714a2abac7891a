/** Computes which rows of a scrolling list are visible and which row is selected. */

export interface ListWindow {
  readonly chosen: number;
  readonly first: number;
}

/**
 * Returns the window with row `chosen` selected, clamped to the list, and scrolled as little as needed to keep it within the
 * `room` visible rows.
 */
export function moveTo(window: ListWindow, chosen: number, length: number, room: number): ListWindow {
  const at = Math.max(0, Math.min(chosen, length - 1));
  const first = Math.max(0, Math.min(Math.max(window.first, at - room + 1), at, Math.max(0, length - room)));
  return { chosen: at, first };
}
