/** Another session is shown only while nothing runs in this one. */
import type { App } from "../app.ts";
import type { SessionChoice } from "../host.ts";

export async function showOther(app: App, which: SessionChoice): Promise<boolean> {
  if (app.view().turn.running) {
    app.say("a turn is running: Esc interrupts it", "warning");
    return false;
  }
  app.show(await app.host.open(which));
  return true;
}
