/** Exports the conversations that are driven over strict servers. */
export { type Driven, driveHistory, type Route, routes } from "./drive-history.ts";
export { type History, histories } from "./histories.ts";
export type { Mark, MarkKind } from "./marks.ts";
