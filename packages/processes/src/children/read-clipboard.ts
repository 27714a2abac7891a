/** Reads the image in the person's clipboard with a program of the system. */
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { ProgramEnd, Programs } from "./programs.ts";

export type ClipboardImage =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "none"; readonly message: string };

interface ClipboardParts {
  readonly programs: Programs;
  readonly workspace: Workspace;
}

interface ClipboardCommand {
  readonly program: string;
  readonly args: readonly string[];
}

const macCommands: readonly ClipboardCommand[] = [{ program: "pngpaste", args: ["-"] }];
const linuxCommands: readonly ClipboardCommand[] = [
  { program: "wl-paste", args: ["--no-newline", "--type", "image/png"] },
  { program: "xclip", args: ["-selection", "clipboard", "-t", "image/png", "-o"] },
];
const timeoutMs = 3_000;

/** The variables with which these programs find the screen. */
const screenVariables = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"];

/** Returns the image, or a message that says why there is none. Never rejects. */
export async function readClipboard(
  resources: ClipboardParts,
  environment: Readonly<Record<string, string | undefined>>,
  mostBytes: number,
): Promise<ClipboardImage> {
  const commands = process.platform === "darwin" ? macCommands : linuxCommands;
  let isInstalled = false;
  for (const command of commands) {
    const { end, bytes } = await runCommand(resources, command, environment, mostBytes);
    if (end.kind === "not-started") continue;
    isInstalled = true;
    if (bytes.length > mostBytes) {
      return {
        kind: "none",
        message: `the image in the clipboard is larger than ${mostBytes / 1024 / 1024} MB`,
      };
    }
    if (end.kind === "exited" && end.code === 0 && bytes.length > 0) return { kind: "read", bytes };
  }
  if (isInstalled) return { kind: "none", message: "the clipboard holds no image" };
  const names = commands.map(({ program }) => program).join(" or ");
  return { kind: "none", message: `to take images from the clipboard, install ${names}` };
}

async function runCommand(
  { programs, workspace }: ClipboardParts,
  { program, args }: ClipboardCommand,
  environment: Readonly<Record<string, string | undefined>>,
  mostBytes: number,
): Promise<{ readonly end: ProgramEnd; readonly bytes: Buffer }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const screen = screenVariables.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { end } = await programs.run({
    program,
    args,
    cwd: workspace.processBase,
    environment: Object.fromEntries(screen),
    timeoutMs,
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      if (size <= mostBytes) chunks.push(chunk);
      size += chunk.length;
    },
    onErrorOutput: () => undefined,
  });
  return { end, bytes: Buffer.concat(chunks) };
}
