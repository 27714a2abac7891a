/** Thrown when the runner cannot judge a row. That is an error of the row, never a verdict about the program. */
export class RowError extends Error {}
