/**
 * Creates sockets at absent closed names, so that the sandbox mounts each of them on itself. Nothing listens on them, and no
 * program can open them. Unlike an empty file or a device, git, `grep -r`, `find -type f`, `tar` and `cp -r` pass over a socket.
 */
import { closeSync, constants, linkSync, lstatSync, openSync, unlinkSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";

/**
 * Creates a socket at each of the paths that does not exist. Skips a folder in which sockets or links of them are impossible,
 * or in which only one path is absent: the sandbox then holds these names with devices. Never rejects.
 */
export async function createHeldSockets(paths: readonly string[]): Promise<void> {
  if (process.platform !== "linux") return;
  const absent = paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined);
  for (const [folder, names] of Map.groupBy(absent, dirname)) {
    await createIn(
      folder,
      names.map((path) => basename(path)),
    );
  }
}

async function createIn(folder: string, [first, second, ...rest]: readonly string[]): Promise<void> {
  if (first === undefined || second === undefined) return;
  let directory: number | undefined;
  try {
    directory = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    // The address of a socket has at most 107 bytes, so the folder is named by its descriptor.
    const path = (name: string) => join(`/proc/self/fd/${directory}`, name);
    await whileListening(path(first), () => linkSync(path(first), path(second)));
    for (const name of [first, ...rest]) link(path(second), path(name));
  } catch {
    // The folder is gone or closed, or its file system has no sockets.
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

/** Runs `run` while a socket exists at the path. Node removes the path when it closes the socket; links to it stay. */
async function whileListening(path: string, run: () => void): Promise<void> {
  const server = createServer((connection) => connection.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, exclusive: true }, resolve);
  });
  try {
    run();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // The name exists by now: the sandbox closes what is there.
  }
}

export function isHeldSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}

/** Removes the socket at the path, if there is one. Never throws. */
export function removeHeldSocket(path: string): void {
  try {
    if (isHeldSocket(path)) unlinkSync(path);
  } catch {
    // The socket is already gone.
  }
}
