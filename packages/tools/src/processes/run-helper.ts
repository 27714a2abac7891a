/** Runs a program that the person has configured, with a text as its input. It runs outside the sandbox, for a short time. */
import type { ToolResources } from "../resources.ts";
import type { ProgramEnd } from "./programs.ts";

export interface HelperRequest {
  /** An absolute path, or a name that is searched outside the workspace. */
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface HelperEnd {
  readonly end: ProgramEnd;
  readonly durationMs: number;
  /** The beginning of standard output; `errors` is the beginning of standard error. */
  readonly output: string;
  readonly errors: string;
}

/** The maximum number of bytes of each output; further bytes are dropped. */
const maxBytes = 64 * 1024;

/** Runs the program to its end or its time limit. Never rejects. */
export async function runHelper(
  { programs, workspace }: Pick<ToolResources, "programs" | "workspace">,
  request: HelperRequest,
): Promise<HelperEnd> {
  const output = beginning();
  const errors = beginning();
  const { end, durationMs } = await programs.run({
    ...request,
    cwd: workspace.processBase,
    environment: { PWD: workspace.root },
    onOutput: output.push,
    onErrorOutput: errors.push,
  });
  return { end, durationMs, output: output.text(), errors: errors.text() };
}

function beginning() {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push: (chunk: Buffer) => {
      const kept = chunk.subarray(0, Math.max(0, maxBytes - size));
      if (kept.length > 0) {
        chunks.push(Buffer.from(kept));
      }
      size += kept.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}
