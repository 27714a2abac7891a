/** Creates a real repository with worktrees, for tests. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";

export const identity = "-c user.name=t -c user.email=t@example.org -c protocol.file.allow=always";
export const run = (cwd: string, script: string) =>
  execFileSync("bash", ["-ec", script], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** A repository with a folder, a linked worktree beside it and one inside of it. */
export function repository() {
  const folder = temporaryFolder();
  const main = join(folder, "main");
  mkdirSync(join(main, "part/deep"), { recursive: true });
  writeFileSync(join(main, "part/deep/a.txt"), "a\n");
  writeFileSync(join(main, ".gitignore"), "/trees\n");
  run(main, `git init -q -b trunk && git add . && git ${identity} commit -qm one`);
  run(main, "git worktree add -q ../linked -b side && git worktree add -q trees/inner -b third");
  return { folder, main, linked: join(folder, "linked"), git: join(main, ".git") };
}
