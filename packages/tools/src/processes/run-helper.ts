/** Runs a program of the person's own that reads a text and says something about it: outside of the sandbox, for a short time. */
import type { ToolResources } from "../resources.ts";
import type { ProgramEnd } from "./programs.ts";

export interface HelperRequest {
  /** An absolute path, or a name that is looked for outside of the workspace. */
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface HelperEnd {
  readonly end: ProgramEnd;
  readonly durationMs: number;
  /** The beginning of what it wrote. */
  readonly output: string;
  readonly errors: string;
}

/** Of each kind of output; the rest is dropped. */
const mostBytes = 64 * 1024;

/** Never rejects. */
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
      const kept = chunk.subarray(0, Math.max(0, mostBytes - size));
      if (kept.length > 0) {
        chunks.push(Buffer.from(kept));
      }
      size += kept.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}
