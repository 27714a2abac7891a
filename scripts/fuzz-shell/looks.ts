/**
 * Creates calls of ordinary programs with random options, and really runs those that count as read-only in a temporary
 * folder: the folder must not change.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Random } from "./random.ts";

const programs =
  `arch basename cat cksum cmp column comm cut date df diff dirname du echo egrep expand false file find fold
  git grep head hexdump hostname id join ls md5sum nl nproc od paste printf pwd readlink realpath rev rg sed seq sha256sum
  sort stat tac tail tr tree true type uname unexpand uniq uptime wc which whoami base64 tee awk xxd env shuf split tar jq
  node python3 make bash`.split(/\s+/) as [string, ...string[]];

const gitCommands =
  `status log diff show shortlog rev-parse ls-files ls-tree rev-list merge-base name-rev describe blame
  cat-file count-objects check-ignore branch tag remote stash worktree reflog version grep archive config bisect
  format-patch`.split(/\s+/) as [string, ...string[]];

const words =
  `a.txt b.txt sub PWNED ./PWNED sub/PWNED -o --output=PWNED --output PWNED -oPWNED -O -w -i -s -T --compress-program=./evil -exec
  touch {} ; -delete -fprintf -fls -ok -files0-from --files0-from=a.txt -f -C -m -z --pre ./evil --pre=./evil
  --hostname-bin=./evil -n -e -r -R -l -c -v -d -t -k 1 2 5 , - -- +%s HEAD HEAD~1 main --stat -p -1 --oneline --ext-diff
  --textconv --no-index --output-directory=. -D --delete -u --unified -q -a --all --list --format=%H -name '*.txt' -type f
  -print -newer a.txt -maxdepth 2 -not -size 1 10,20p '1,2p' 'w_PWNED' 's/a/b/w_PWNED' 's/a/touch/e' x needle '%s' '%n' --set
  --in-place -i.bak --checkpoint-action=exec=./evil -I -S --sort=name --color=never -L --follow --expire=now add drop new`
    .split(/\s+/)
    .map((word) => word.replaceAll("_", " ").replace(/^(?=[;{])|^$/, "\\")) as [string, ...string[]];

export function lookLine(random: Random): string {
  const name = random.pick(programs);
  const parts = name === "git" ? [name, random.pick(gitCommands)] : [name];
  const count = random.below(5);
  for (let index = 0; index < count; index += 1) {
    parts.push(random.chance(0.2) ? randomOption(random) : random.pick(words));
  }
  return parts.join(" ");
}

function randomOption(random: Random): string {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return `-${letters[random.below(letters.length)]}${random.chance(0.3) ? letters[random.below(letters.length)] : ""}`;
}

const setup = `git init -q . && printf 'b\\na\\nneedle\\n' > a.txt && printf 'a\\nb\\n' > b.txt && mkdir sub && echo x > sub/c.txt &&
  printf '#!/bin/sh\\ntouch PWNED\\n' > evil && chmod +x evil && git add . &&
  git -c user.name=n -c user.email=e@x commit -qm one && echo more >> a.txt && echo new > new.txt`;

/** Creates the folder in which calls are judged and run. */
export function lookFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "fuzz-looks-")), "ws");
  mkdirSync(folder);
  const made = spawnSync("bash", ["-c", setup], { cwd: folder, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`the folder could not be set up: ${made.stderr}`);
  return folder;
}

/**
 * Returns the lines that changed something in the folder. They run in `runIn`, in portions of 200. When a portion has
 * changed it, `runIn` is removed, and each line of the portion and each later line runs in a fresh folder.
 */
export function changingLines(lines: readonly string[], runIn: string): readonly string[] {
  const before = stateOf(runIn);
  const changing: string[] = [];
  for (let at = 0; at < lines.length; at += chunk) {
    const part = lines.slice(at, at + chunk);
    runLines(part, runIn);
    if (stateOf(runIn) !== before) {
      changing.push(...(part.length === 1 ? part : part.filter((line) => changesFresh(line))));
      rmSync(runIn, { recursive: true, force: true });
      return [...changing, ...lines.slice(at + chunk).filter((line) => changesFresh(line))];
    }
  }
  return changing;
}

const chunk = 200;

function changesFresh(line: string): boolean {
  const folder = lookFolder();
  const before = stateOf(folder);
  runLines([line], folder);
  const after = stateOf(folder);
  rmSync(join(folder, ".."), { recursive: true, force: true });
  return before !== after;
}

function runLines(lines: readonly string[], folder: string): void {
  const place = mkdtempSync(join(tmpdir(), "fuzz-lines-"));
  writeFileSync(join(place, "lines"), lines.map((line) => `${line}\0`).join(""));
  const script =
    'while IFS= read -r -d "" line <&8; do (ulimit -t 2; eval "$line") </dev/null >/dev/null 2>&1 8<&-; done';
  const env = { PATH: process.env["PATH"], HOME: place, GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat" };
  spawnSync("bash", ["-c", `exec 8<"${place}/lines"; ${script}`], { cwd: folder, env, timeout: 300_000 });
  rmSync(place, { recursive: true, force: true });
}

/** Returns a hash of the names and contents in the folder. */
function stateOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    hash.update(`${name}\0`).update(statSync(path).isFile() ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}
