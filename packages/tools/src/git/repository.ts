/** Makes sure that the workspace is a repository of its own before git is started in it. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorCode, type Failure, refused } from "../outcome.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The failure when git must not be started in the workspace. */
export async function repositoryProblem(workspace: Workspace): Promise<Failure | undefined> {
  const marker = workspace.locateEntry(".git");
  if (!marker.ok) {
    return marker;
  }
  const { stats } = marker.value;
  if (stats === undefined) {
    return noRepository(workspace.root);
  }
  if (stats.isSymbolicLink()) {
    return refused("validation_failed", ".git is a link. The git tools do not follow it; use git with bash.");
  }
  if (stats.isDirectory()) {
    return leadsOut(workspace);
  }
  return stats.isFile() && (await isRegisteredWorktree(workspace))
    ? undefined
    : refused(
        "validation_failed",
        ".git is a file that names a repository elsewhere, and that one does not know this folder as its worktree. Use git with bash.",
      );
}

function noRepository(root: string): Failure {
  const above = repositoryAbove(root);
  return refused(
    "not_found",
    above === undefined
      ? 'The workspace is not a git repository. To make one, run "git init" with bash.'
      : `The workspace is not the root of a git repository, but a folder in one (${above}). The git tools only work at the root: ask the person to start there, or use git with bash.`,
  );
}

/** A repository that keeps parts of itself elsewhere shows what is there, and takes its settings from there. */
function leadsOut(workspace: Workspace): Failure | undefined {
  const part = partElsewhere(workspace);
  return part === undefined
    ? undefined
    : refused(
        "validation_failed",
        `.git/${part} makes the repository use files elsewhere. The git tools do not follow it; use git with bash.`,
      );
}

function partElsewhere(workspace: Workspace): string | undefined {
  const folder = workspace.openDirectory(".git");
  if (!folder.ok) {
    return undefined;
  }
  using git = folder.value;
  try {
    const link = readdirSync(git.base, { withFileTypes: true }).find((entry) => entry.isSymbolicLink());
    const named = ["commondir", "objects/info/alternates"].find(
      (name) => existsSync(`${git.base}/${name}`) && !namesItself(`${git.base}/${name}`),
    );
    return link?.name ?? named;
  } catch (error) {
    return `(${errorCode(error)})`;
  }
}

/** While a command runs in the sandbox, a `commondir` that leads nowhere else keeps it from making one. */
function namesItself(path: string): boolean {
  return path.endsWith("/commondir") && plainText(path) === ".\n";
}

/** A linked worktree is known to its repository: that names it back. */
async function isRegisteredWorktree(workspace: Workspace): Promise<boolean> {
  const marker = await shortText(workspace, ".git");
  const target = /^gitdir: (.+)$/m.exec(marker)?.[1];
  if (target === undefined) {
    return false;
  }
  const folder = resolve(workspace.root, target.trim());
  try {
    const back = plainText(join(folder, "gitdir")).trim();
    return realpathSync(resolve(folder, back)) === realpathSync(join(workspace.root, ".git"));
  } catch {
    return false;
  }
}

/** The beginning of a regular file outside; of anything else nothing, and it is not waited for. */
function plainText(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(4096);
    return fstatSync(descriptor).isFile() ? buffer.toString("utf8", 0, readSync(descriptor, buffer)) : "";
  } finally {
    closeSync(descriptor);
  }
}

async function shortText(workspace: Workspace, path: string): Promise<string> {
  const opened = workspace.openFile(path);
  if (!opened.ok) {
    return "";
  }
  using file = opened.value;
  return (await file.read(4096)).toString("utf8");
}

function repositoryAbove(root: string): string | undefined {
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      return folder;
    }
  }
  return undefined;
}
