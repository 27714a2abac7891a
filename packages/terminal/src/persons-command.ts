/** `!command`: the person runs it, nobody is asked, and the model is told with the next message. */
import type { RunningApp } from "./open-app.ts";

/** So much of the output goes to the model. */
const toldChars = 8_000;

export async function runPersonsCommand(app: RunningApp, command: string): Promise<void> {
  const stop = new AbortController();
  try {
    const { exitCode, output } = await app.host.runCommand(command, stop.signal, () => undefined);
    app.add({ kind: "command", command, output, exitCode });
    const told = output.length <= toldChars ? output : `${output.slice(0, toldChars)}\n(cut)`;
    app.addBeside(`I ran \`${command}\` (exit ${exitCode ?? "unknown"}):\n${told}`);
  } catch (error) {
    app.say(error instanceof Error ? error.message : String(error), "error");
  }
}
