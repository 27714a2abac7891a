/** Opens a text in the person's own editor, in a private file that is removed afterwards. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPersonsFile } from "@localharness/workspace/files/persons-file";
import { errorCode } from "@localharness/workspace/outcome";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { OutputFolder } from "./output-folder.ts";
import type { Programs, TerminalEnd } from "./programs.ts";

export type EditedText =
  /** `remark` names the editor that was used, if the person has set none. */
  | { readonly kind: "edited"; readonly text: string; readonly remark?: string }
  /** The text stays as it was; `message` says why. */
  | { readonly kind: "kept"; readonly message: string };

interface EditingParts {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly outputs: OutputFolder;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables with which an editor or a pager finds its screen, its settings and its server. */
const terminalVariables =
  "TERM COLORTERM TERM_PROGRAM TERMINFO VISUAL EDITOR DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS TMUX VIMINIT VIM VIMRUNTIME PAGER GIT_PAGER LESS GIT_EDITOR".split(
    " ",
  );
/** The editors that are tried, in this order, if the person has set none. */
const usualEditors = ["nano", "vi"];
const maxBytes = 10 * 1024 * 1024;

/**
 * Opens the text in the editor. Resolves to the edited text without its last line end, or to the reason why the text stays
 * as it was. Nothing else may use the terminal until the editor ends. Never rejects.
 */
export async function editText(
  resources: EditingParts,
  environment: Environment,
  text: string,
): Promise<EditedText> {
  const editor = editorOf(resources, environment);
  if (editor === undefined) {
    return kept("no editor is set and neither nano nor vi is installed: set VISUAL or EDITOR");
  }
  const program = pathIn(editor.command);
  if (program !== undefined && resources.programs.outside.find(program) === undefined) {
    return kept(
      `${program} is no program outside of the workspace, by an absolute path: set VISUAL or EDITOR`,
    );
  }
  let folder: string | undefined;
  try {
    folder = resources.outputs.createFolder();
    const path = join(folder, "message.md");
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    const end = await run(resources, environment, editor.command, path);
    if (end.kind !== "exited" || end.code !== 0) return kept(`${editor.command} ${endText(end)}`);
    const file = await readPersonsFile(path, maxBytes);
    if (file.kind === "absent") return kept(`${editor.command} has removed the message's file`);
    if (file.kind === "refused") return kept(`the message's file cannot be read: ${file.message}`);
    const edited = file.bytes.toString("utf8").replace(/\r?\n$/, "");
    return editor.isSet
      ? { kind: "edited", text: edited }
      : { kind: "edited", text: edited, remark: `VISUAL and EDITOR are not set: ${editor.command} was used` };
  } catch (error) {
    return kept(`the message's file cannot be written: the system reports ${errorCode(error)}`);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function editorOf(
  { programs }: Pick<EditingParts, "programs">,
  environment: Environment,
): { readonly command: string; readonly isSet: boolean } | undefined {
  const set = [environment["VISUAL"], environment["EDITOR"]].find(
    (one) => one !== undefined && one.trim() !== "",
  );
  if (set !== undefined) return { command: set, isSet: true };
  const found = usualEditors.find((name) => programs.outside.find(name) !== undefined);
  return found === undefined ? undefined : { command: found, isSet: false };
}

/** Matches a path at the beginning of a shell command: in double quotes, in single quotes, or without a quote. */
const pathFirst = /^\s*(?:"([^"$`]*\/[^"$`]*)"|'([^']*\/[^']*)'|([^\s"'$~]*\/[^\s"']*))/;

/** Returns the path of the program that a shell command starts; undefined if it is a name, or computed. */
function pathIn(command: string): string | undefined {
  const [, double, single, bare] = pathFirst.exec(command) ?? [];
  return double ?? single ?? bare;
}

/** Runs the editor on the file, through a shell, because the editor's command may have options: `code --wait`. */
function run(
  { programs, workspace }: Pick<EditingParts, "programs" | "workspace">,
  environment: Environment,
  command: string,
  path: string,
): Promise<TerminalEnd> {
  return programs.runInTerminal({
    program: "/bin/sh",
    // Because of the trap, the shell waits for an editor that continues after Ctrl+C. The editor does not inherit the
    // trap.
    args: ["-c", `trap : INT QUIT; ${command} "$@"`, "edit", path],
    cwd: workspace.processBase,
    environment: terminalEnvironment(environment, workspace.root),
    signal: new AbortController().signal,
  });
}

/** Returns the variables for a program that uses the terminal. They replace the fixed values that other commands get. */
export function terminalEnvironment(
  source: Environment,
  workspace: string,
): Readonly<Record<string, string>> {
  const passed = terminalVariables.flatMap((name) => {
    const value = source[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const usual = { TERM: "dumb", NO_COLOR: "", PAGER: "less", GIT_PAGER: "", GIT_TERMINAL_PROMPT: "1" };
  return { PWD: workspace, ...usual, ...Object.fromEntries(passed) };
}

function kept(message: string): EditedText {
  return { kind: "kept", message: `${message}; the message stays as it was` };
}

function endText(end: TerminalEnd): string {
  switch (end.kind) {
    case "exited":
      return `ended with exit code ${end.code}`;
    case "killed":
      return `was ended by ${end.signal}`;
    case "not-started":
      return `could not be started (${end.code})`;
  }
}
