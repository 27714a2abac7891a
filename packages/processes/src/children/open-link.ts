/** Opens a link in the person's browser, which goes on when the program ends. */
import { setTimeout as wait } from "node:timers/promises";
import { childEnvironment } from "./environment.ts";
import type { OutsidePrograms } from "./programs.ts";
import { startChild } from "./start-child.ts";

/** The variables, beside those of `XDG_`, with which the opener finds the screen, the desktop and the browser. */
const screenVariables = new Set(
  "DISPLAY WAYLAND_DISPLAY XAUTHORITY BROWSER DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION GNOME_DESKTOP_SESSION_ID KDE_FULL_SESSION KDE_SESSION_VERSION WSL_INTEROP WSL_DISTRO_NAME".split(
    " ",
  ),
);

/** The milliseconds within which a failing opener ends. An opener that runs longer is the browser itself. */
const failsWithinMs = 5_000;

export interface OpeningLink {
  readonly link: string;
  /** The program of the system that opens links. */
  readonly opener: string;
  /** The environment of the person. */
  readonly source: Readonly<Record<string, string | undefined>>;
  /** The programs that are in no folder to which commands may write. */
  readonly outside: Pick<OutsidePrograms, "find" | "environment">;
}

/**
 * Opens the link with the opener, which is never a program that commands may write. Resolves to undefined, or to the reason why no
 * browser was opened. Never rejects.
 */
export async function openLink({ link, opener, source, outside }: OpeningLink): Promise<string | undefined> {
  const screen = Object.keys(source).filter((name) => screenVariables.has(name) || name.startsWith("XDG_"));
  const env = outside.environment(childEnvironment(source, screen), "outside");
  const program = outside.find(opener);
  if (program === undefined) return `${opener} is not installed`;
  const command = { program, args: [link] };
  const child = await startChild(command, { cwd: "/", env, detached: true, stdio: "ignore" });
  if (typeof child === "string") return `${opener} could not be started (${child})`;
  child.unref();
  const failure = new Promise<string | undefined>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve(code === 0 ? undefined : `${opener} ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  return Promise.race([failure, wait(failsWithinMs, undefined, { ref: false })]);
}
