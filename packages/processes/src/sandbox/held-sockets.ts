/**
 * Creates sockets as placeholders at absent closed names, so that the sandbox can bind-mount each of them on itself.
 * Nothing listens on them, and no program can open them. They are sockets, not empty files or devices, because git,
 * `grep -r`, `find -type f` and `tar` skip sockets, and `cp -r` copies them without an error.
 */
import { closeSync, constants, linkSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { statsAt } from "@localharness/workspace/paths/stats-at";

/**
 * Creates a socket at each of the paths, which must not exist. `first` is a free name in their folders, at which each folder
 * has a socket for a moment. Creates nothing where sockets, or links to sockets, are impossible. Never rejects.
 */
export async function createHeldSockets(absent: readonly string[], first: string): Promise<void> {
  for (const [folder, paths] of Map.groupBy(absent, dirname)) {
    await createIn(
      folder,
      paths.map((path) => basename(path)),
      first,
    );
  }
}

async function createIn(folder: string, names: readonly string[], first: string): Promise<void> {
  let directory: number | undefined;
  try {
    directory = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    // The address of a socket has at most 107 bytes, so the folder is named by its descriptor.
    const path = (name: string) => join(`/proc/self/fd/${directory}`, name);
    await whileListening(path(first), () => {
      for (const name of names) link(path(first), path(name));
    });
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
    // The name exists by now, or links of sockets are impossible here.
  }
}

export function isHeldSocket(path: string): boolean {
  return statsAt(path)?.isSocket() === true;
}
