/** Runs a program of the person that gets their terminal, such as an editor, until it ends. */
import { errorCode } from "../outcome.ts";
import { endTree, markVariable } from "./process-tree.ts";
import { closingInherited, startCommand } from "./start-command.ts";

export interface TerminalRequest {
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables to add to the filtered environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type TerminalEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "not-started"; readonly code: string };

/** Runs the program in the foreground group of the terminal, so that it gets the keys and their signals. Never rejects. */
export async function runInTerminal(
  request: TerminalRequest,
  environment: Readonly<Record<string, string>>,
  mark: string,
): Promise<TerminalEnd> {
  const { spawn } = await import("node:child_process");
  const { program, args } = startCommand(request, undefined, closingInherited());
  const env = { ...environment, ...request.environment, [markVariable]: mark };
  if (request.signal.aborted) return { kind: "killed", signal: "SIGHUP" };
  return await new Promise((resolve) => {
    const child = spawn(program, [...args], { cwd: request.cwd, env, stdio: "inherit" });
    const stop = () => {
      child.kill("SIGHUP");
      void endTree({ pid: child.pid ?? 0, mark });
    };
    const settle = (end: TerminalEnd) => {
      request.signal.removeEventListener("abort", stop);
      resolve(end);
    };
    request.signal.addEventListener("abort", stop, { once: true });
    child.once("error", (error) => settle({ kind: "not-started", code: errorCode(error) }));
    child.once("exit", (code, signal) =>
      settle(code === null ? { kind: "killed", signal: signal ?? "" } : { kind: "exited", code }),
    );
  });
}
