/** Runs a program of the person that gets their terminal, such as an editor, until it ends. */
import { endTree, markVariable } from "./process-tree.ts";
import type { TerminalEnd, TerminalRequest } from "./programs.ts";
import { startChild } from "./start-child.ts";
import { closingInherited, startCommand } from "./start-command.ts";

/**
 * Runs the program in the foreground group of the terminal, so that it gets the keys and their signals. Ends it if the
 * signal aborts. `environment` is the whole environment, with the variables of the request. Never rejects.
 */
export async function runInTerminal(
  request: TerminalRequest,
  environment: Readonly<Record<string, string>>,
  mark: string,
): Promise<TerminalEnd> {
  if (request.signal.aborted) return { kind: "killed", signal: "SIGHUP" };
  const command = startCommand(request, undefined, closingInherited());
  const env = { ...environment, [markVariable]: mark };
  const child = await startChild(command, { cwd: request.cwd, env, stdio: "inherit" });
  if (typeof child === "string") return { kind: "not-started", code: child };
  return await new Promise((resolve) => {
    const stop = () => {
      child.kill("SIGHUP");
      void endTree({ pid: child.pid ?? 0, mark });
    };
    request.signal.addEventListener("abort", stop, { once: true });
    // The signal may have been aborted while the child was started.
    if (request.signal.aborted) stop();
    child.once("exit", (code, signal) => {
      request.signal.removeEventListener("abort", stop);
      resolve(code === null ? { kind: "killed", signal: signal ?? "" } : { kind: "exited", code });
    });
  });
}
