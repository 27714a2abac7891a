/** Opens a session whose model calls a tool that writes, twice. */
import type { PersonsAnswer, SessionOptions, Tool } from "@localharness/engine";
import type { PermissionAnswer } from "@localharness/protocol";
import { makeTool } from "./make-tool.ts";
import { openSession } from "./open-session.ts";
import { call, say } from "./scripted-model.ts";

export const write = (more: Partial<Tool> = {}) =>
  makeTool({ name: "write", readOnly: false, editsFiles: true, risk: "high", ...more });
export const written = (path: string) => call(["write", { path }]);
export const twice = [written("a"), written("b"), say("ok")];

export function session(
  more: Partial<SessionOptions> & {
    answers?: readonly (PermissionAnswer | PersonsAnswer)[];
    tool?: Tool;
    steps?: typeof twice;
  },
) {
  const { tool = write(), steps = twice, ...options } = more;
  return openSession({ steps, tools: [tool, makeTool()], ...options });
}

/** Returns the error types of the results. */
export const shown = (opened: ReturnType<typeof openSession>) =>
  opened.results().map((one) => one.result.error_type);
export const denied = "permission_denied";
