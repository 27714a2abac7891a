/**
 * Finds out which rows the terminal still shows after a change of its size, so that a redraw neither repeats a row that is in
 * the scrollback nor loses one that is not. Terminals move rows into the scrollback and back in different ways, so the row
 * in which the terminal has the cursor decides.
 */

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface ShownRows {
  /** The number of columns for which the rows were drawn. */
  readonly columns: number;
  /** The widths in columns of the last finished rows, top first: of all that can be visible. */
  readonly finished: readonly number[];
  /** The widths of the rows of the live part. The cursor is in row `cursor` of them, in column `column`. */
  readonly live: readonly number[];
  readonly cursor: number;
  readonly column: number;
  /** The widths of the rows of the live part that went to the scrollback. The last one comes back first. */
  readonly spilled: readonly number[];
}

export interface KeptRows {
  /** The number of finished rows that are visible, also if only a part of the first one is. */
  readonly rows: number;
  /** The row of the screen, from 0, in which the first of them begins. */
  readonly top: number;
  readonly spilled: readonly number[];
}

/**
 * `row` is the row of the screen, from 0, in which the terminal has the cursor. `wraps` is true if the terminal wraps the rows
 * of a window that gets narrower.
 */
export function keptRows(shown: ShownRows, row: number, columns: number, wraps: boolean): KeptRows {
  const { finished, live, cursor, column, spilled } = shown;
  const isWrapped = wraps && columns < shown.columns;
  const heightOf = (width: number) => (isWrapped ? Math.max(1, Math.ceil(width / columns)) : 1);
  const inRow = isWrapped ? Math.floor(column / columns) : 0;
  const room = row - inRow - live.slice(0, cursor).reduce((sum, width) => sum + heightOf(width), 0);
  const back = fitting(spilled.toReversed(), Math.max(0, room), heightOf);
  const kept = fitting(finished.toReversed(), back.left, heightOf);
  const gone = fitting(live, Math.max(0, -room), heightOf);
  const left = spilled.slice(0, spilled.length - back.rows);
  return { rows: kept.rows, top: kept.left, spilled: [...left, ...live.slice(0, gone.rows)] };
}

/** Returns how many rows are in `room` rows of the screen, also if only a part of the last one is, and how much room is left. */
function fitting(
  widths: readonly number[],
  room: number,
  heightOf: (width: number) => number,
): { readonly rows: number; readonly left: number } {
  let left = room;
  let rows = 0;
  for (const width of widths) {
    if (left <= 0) break;
    left -= heightOf(width);
    rows += 1;
  }
  return { rows, left: Math.max(0, left) };
}

/** Returns true if the terminal wraps rows when its window gets narrower. xterm, GNU screen and the Linux console do not. */
export function wrapsRows(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (env["TMUX"] !== undefined) return true;
  return env["STY"] === undefined && env["XTERM_VERSION"] === undefined && env["TERM"] !== "linux";
}
