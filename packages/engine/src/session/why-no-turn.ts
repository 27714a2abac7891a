/** Says why a session cannot begin a turn. */
import { HarnessError } from "../harness-error.ts";

/** Returns the error; undefined if a turn can begin. */
export function whyNoTurn(isClosed: boolean, isRunning: boolean): HarnessError | undefined {
  if (isClosed) return new HarnessError("session-closed", "the session is closed: open another one");
  if (!isRunning) return undefined;
  const message = "a turn is running: wait for its end, or send a user-message command to steer it";
  return new HarnessError("session-busy", message);
}
