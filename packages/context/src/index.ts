export { resultCompactor } from "./shorten-results.ts";
