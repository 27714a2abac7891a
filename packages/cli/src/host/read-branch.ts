/** The branch of a working tree as its own files say it: no program is run for it. */
import { lstat, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

const mostBytes = 4_096;

/** The name of the branch, the beginning of the commit when there is none, undefined outside of git. */
export async function readBranch(workspace: string): Promise<string | undefined> {
  for (let folder = workspace; ; folder = dirname(folder)) {
    const head = await readHead(join(folder, ".git"));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 8);
    if (dirname(folder) === folder) return undefined;
  }
}

async function readHead(git: string): Promise<string | undefined> {
  const stat = await lstat(git).catch(() => undefined);
  if (stat?.isDirectory() === true) return readSmall(join(git, "HEAD"));
  if (stat?.isFile() !== true) return undefined;
  const place = /^gitdir: (.+)$/.exec((await readSmall(git)) ?? "")?.[1];
  return place === undefined ? undefined : readSmall(join(resolve(dirname(git), place), "HEAD"));
}

/** Whatever else stands there, as a pipe that nobody writes to, is not opened. */
async function readSmall(path: string): Promise<string | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isFile() !== true || stat.size > mostBytes) return undefined;
  return (await readFile(path, "utf8").catch(() => undefined))?.trim();
}
