/** Passes all bytes between two connections until both have ended or one of them fails. */
import type { Socket } from "node:net";

export function passBytes(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroySoon());
  }
}
