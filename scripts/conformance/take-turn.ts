/** Lets only a few scenarios run at once, because the suite starts all of them together. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const turns = 3;
const pollMs = 50;

/** Waits for one of the turns, which are folders in `folder`. Disposing the result gives it back. */
export async function takeTurn(folder: string): Promise<AsyncDisposable> {
  for (let at = 0; ; at = (at + 1) % turns) {
    const path = join(folder, `turn-${at}`);
    try {
      mkdirSync(path);
      return { [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true }) };
    } catch {
      await sleep(pollMs);
    }
  }
}
