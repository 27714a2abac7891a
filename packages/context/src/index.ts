export { compactor } from "./compactor.ts";
