/** Names the entries of the change log for commands that the person types, which belong to no turn of the model. */
import { randomUUID } from "node:crypto";

const prefix = "typed-";

/** Returns an id in place of a turn's. */
export function newTypedTurn(): string {
  return `${prefix}${randomUUID().slice(0, 8)}`;
}

export function isTypedTurn(turnId: string): boolean {
  return turnId.startsWith(prefix);
}
