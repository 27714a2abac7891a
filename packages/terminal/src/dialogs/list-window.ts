/** Which part of a list is in sight, and where its mark stands. */

export interface ListWindow {
  readonly chosen: number;
  readonly first: number;
}

export function moveTo(window: ListWindow, chosen: number, length: number, room: number): ListWindow {
  const at = Math.max(0, Math.min(chosen, length - 1));
  const first = Math.max(0, Math.min(Math.max(window.first, at - room + 1), at, Math.max(0, length - room)));
  return { chosen: at, first };
}
