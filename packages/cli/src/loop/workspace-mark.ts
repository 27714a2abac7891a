/** A mark of the state of a workspace: it differs when a file changed or something was committed. */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Folders that hold what others can make again. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules", ".hg", ".svn"]);
const mostFiles = 50_000;
const mostGitBytes = 16 * 1024 * 1024;

/** Names, sizes and times of all files, and the commit that is checked out. Never throws. */
export async function workspaceMark(root: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await gitHead(root));
  const waiting = [""];
  for (let seen = 0; waiting.length > 0 && seen < mostFiles; ) {
    const folder = waiting.pop() ?? "";
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      seen += 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) waiting.push(path);
      } else if (entry.isFile()) hash.update(await fileMark(root, path));
    }
  }
  return hash.digest("hex");
}

async function fileMark(root: string, path: string): Promise<string> {
  const found = await stat(join(root, path)).catch(() => undefined);
  return found === undefined ? "" : `${path}\0${found.size}\0${found.mtimeMs}\0`;
}

/** The commit id, read from the files of git: no program is started in a folder that may configure it. */
async function gitHead(root: string): Promise<string> {
  const folder = await gitFolder(root);
  const head = await text(join(folder, "HEAD"));
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref === undefined || ref.includes("..")) return head;
  const common = resolve(folder, (await text(join(folder, "commondir"))) || ".");
  const packed = (await text(join(common, "packed-refs")))
    .split("\n")
    .find((line) => line.endsWith(` ${ref}`));
  return `${ref} ${(await text(join(common, ref))) || (packed?.split(" ", 1)[0] ?? "")}`;
}

async function gitFolder(root: string): Promise<string> {
  const pointer = /^gitdir: (.+)$/.exec(await text(join(root, ".git")))?.[1];
  return pointer === undefined ? join(root, ".git") : resolve(root, pointer);
}

/** Nothing of what is no file or larger than git makes it: a pipe or a device would never end. */
async function text(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size > mostGitBytes) return "";
  return readFile(path, "utf8").then(
    (content) => content.trim(),
    () => "",
  );
}
