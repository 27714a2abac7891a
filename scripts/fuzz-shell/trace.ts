/**
 * Lets a real bash run command lines without any program: every command that is not built in calls a function that logs
 * its words, and so do the harmless built-in commands.
 */
import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Traced {
  readonly calls: readonly (readonly string[])[];
  /** The number of new files in the folder. */
  readonly newFiles: number;
}

const script = `
traced() { builtin printf '%s\\0' C "$#" "$@" >&9; [[ $1 != f* ]]; }
command_not_found_handle() { traced "$@"; }
for name in : echo false kill printf pwd test true type; do
  eval "$name() { traced $name \\"\\$@\\"; }"
done
shopt -s nullglob dotglob
here=(*)
before=\${#here[@]}
while IFS= read -r -d '' line <&8; do
  (eval "$OPTIONS"; eval "$line") </dev/null >/dev/null 2>&1 8<&-
  here=(*)
  builtin printf '%s\\0' E "$((\${#here[@]} - before))" >&9
  before=\${#here[@]}
done
`;

const maxTries = 3;

/**
 * Returns the calls of each line, in order. The folder in which bash runs the lines contains empty files with the
 * names `files`, which patterns expand to, as in the program. Without `files` the folder is empty, and a pattern
 * expands to nothing. On a busy machine bash may end before the last line (rare, exit code 0, cause unknown): then all
 * lines are traced again. Throws if three attempts fail.
 */
export function traceLines(lines: readonly string[], files?: readonly string[]): readonly Traced[] {
  for (let tries = 1; ; tries += 1) {
    const { traced, end } = traceOnce(lines, files);
    if (traced.length === lines.length) return traced;
    const message = `bash finished ${traced.length} of ${lines.length} lines (${end})`;
    if (tries === maxTries) throw new Error(message);
    process.stderr.write(`${message}; once more\n`);
  }
}

function traceOnce(lines: readonly string[], files: readonly string[] | undefined) {
  const place = mkdtempSync(join(tmpdir(), "fuzz-shell-"));
  const folder = mkdtempSync(join(place, "empty-"));
  try {
    writeFileSync(join(place, "lines"), lines.map((line) => `${line}\0`).join(""));
    writeFileSync(join(place, "log"), "");
    for (const name of files ?? []) writeFileSync(join(folder, name), "");
    // A refused line may write outside the folder. As the user nobody it can create nothing there.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (nobody.uid !== undefined) {
      for (const path of [place, folder, join(place, "lines"), join(place, "log")])
        chownSync(path, nobody.uid, nobody.gid);
    }
    const run = spawnSync(
      "/bin/bash",
      ["--noprofile", "--norc", "-c", `exec 8<../lines 9>>../log; ${script}`],
      {
        cwd: folder,
        env: {
          PATH: "/nonexistent",
          LC_ALL: "C.UTF-8",
          OPTIONS: files === undefined ? "" : "shopt -u nullglob dotglob",
        },
        stdio: "ignore",
        timeout: 600_000,
        ...nobody,
      },
    );
    const traced = readLog(readFileSync(join(place, "log"), "utf8"));
    return { traced, end: `exit ${run.status}, ${run.signal}` };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function readLog(log: string): readonly Traced[] {
  const fields = log.split("\0");
  const lines: Traced[] = [];
  let calls: string[][] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const count = Number(fields[at + 1]);
    if (fields[at] === "E") {
      lines.push({ calls, newFiles: count });
      calls = [];
      at += 2;
    } else {
      calls.push(fields.slice(at + 2, at + 2 + count));
      at += 2 + count;
    }
  }
  return lines;
}
