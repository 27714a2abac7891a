import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { type Bench, openBench, said } from "../bench.ts";

const canary = "CANARY_7f3a";
/** Read-only git commands, each covered by the answer for "commands that only read". */
const looks = [
  "git status",
  "git diff",
  "git log -m -p --format='%aN%G?'",
  "git show",
  "git show HEAD~1:a.txt",
  "git blame a.txt",
  "git blame d/s.txt",
  "git stash list",
  "git worktree list",
  "git check-ignore -v a.txt machine",
  "git describe --always --dirty",
];
const tools = [
  ["git_status", {}],
  ["git_diff", {}],
  ["git_log", {}],
  ["git_commit_all", { message: "x" }],
] as const;

/** Creates a repository with a merge and a change, a home with a secret, a program that leaves a mark, and another repository. */
const setUp = `
  printf 'machine %s! login x\\n%s Person <a@b>\\n' ${canary} ${canary} > "$HOME/.netrc"
  printf '[user]\\nname = n\\nemail = a@b\\n' > "$HOME/.gitconfig"
  printf '#!/bin/sh\\ntouch "%s/PWNED"\\ncat 2>/dev/null; true\\n' "$OUT" > "$OUT/evil.sh"; chmod +x "$OUT/evil.sh"
  git init -q -b main "$OUT/other"; cd "$OUT/other"; echo ${canary} > a.txt; git add .; git commit -qm ${canary}; echo ${canary} b > a.txt; git commit -qam ${canary}; cp a.txt "$OUT/kept"
  cd "$WS"; git init -q -b main .; mkdir d; echo one > a.txt; echo one > d/s.txt; git add .; git commit -qm one
  git checkout -qb side; echo side > a.txt; git commit -qam two; git checkout -q main; echo main > a.txt; git commit -qam three
  git merge -q -s ours -m four side; echo more >> a.txt`;

/** Creates a nested repository that starts a program for each of its files. */
const nested = `git init -q s; cd s; echo s > s.txt; git add .; git commit -qm s; cd ..; git add s 2>/dev/null; git commit -qm s
  echo '* filter=x' > s/.git/info/attributes; git -C s config filter.x.clean "$OUT/evil.sh"; touch -d 2001-01-01 s/s.txt`;

async function prepared(plant: string): Promise<{ bench: Bench; run(script: string): string }> {
  const home = temporaryFolder();
  const bench = await openBench({ environment: { PATH: process.env["PATH"], HOME: home } });
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    WS: bench.root,
    OUT: bench.outside,
    EVIL: join(bench.outside, "evil.sh"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const run = (script: string) =>
    execFileSync("bash", ["-c", `exec 2>&1; ${script}`], { cwd: bench.root, env, encoding: "latin1" });
  run(`set -e; ${setUp}`);
  run(`${plant}; true`);
  return { bench, run };
}

/** Returns what a model would read from the commands that run without a question once read-only commands are allowed. */
async function lookAround(bench: Bench): Promise<{ unasked: readonly string[]; text: string }> {
  const unasked: string[] = [];
  for (const command of looks) {
    const facts = await bench.examine("bash", { command });
    if (facts.readOnly === true && (facts.concerns ?? []).length === 0) {
      unasked.push(command);
    }
  }
  const command = unasked.join("; ");
  const examined = await bench.examine("bash", { command });
  expect(unasked.length === 0 || examined.readOnly).toBe(true);
  const output =
    unasked.length === 0 ? "" : JSON.stringify(await bench.call("bash", { command }, { examined }));
  const texts: string[] = [output];
  for (const [name, args] of tools) {
    texts.push(said(await bench.call(name, args)));
  }
  return { unasked, text: texts.join("\n") };
}

const traces = `ls "$OUT" | grep PWNED; cat "$OUT/kept" "$HOME/.netrc" | sha256sum; cat "$OUT/other/.git/refs/heads/main"; cat "$OUT"/heads/* 2>/dev/null; true`;
const carelessly = `cd ../careless; ${looks.join("; ")}; git add --all; git commit -qm x; true`;

const set = (key: string, value = '"$EVIL"') => `git config ${key} ${value}`;
const all = (attribute: string) => `printf '* ${attribute}\\n' > .git/info/attributes`;
const inConfig = (text: string) => `printf '${text}' >> .git/config`;
const fakeWorktree = `mv .git kept.git; mkdir evil; cp kept.git/HEAD kept.git/index evil; echo 'gitdir: evil' > .git; echo "$OUT/other/.git" > evil/commondir; `;

/** What is planted, and whether the person is asked or git runs without following it. */
const harmful: readonly (readonly [string, string, "asks" | "looks"])[] = [
  ["core.fsmonitor", set("core.fsmonitor"), "asks"],
  ["diff.external", set("diff.external"), "asks"],
  ["a text converter", `${set("diff.x.textconv")}; ${all("diff=x")}`, "asks"],
  ["a filter", `${set("filter.x.clean")}; ${all("filter=x")}`, "asks"],
  ["a hook", "cp $EVIL .git/hooks/pre-commit; cp $EVIL .git/hooks/post-index-change", "looks"],
  [
    "an included file",
    `printf '[diff]\\nexternal = %s\\n' $EVIL > more; ${set("include.path", "../more")}`,
    "asks",
  ],
  [
    "the configuration of a worktree",
    `${set("extensions.worktreeConfig", "true")}; git config --worktree diff.external $EVIL`,
    "asks",
  ],
  ["gpg.program", `${set("gpg.program")}; ${set("commit.gpgSign", "true")}`, "asks"],
  [
    "a merge driver in a diff of merges",
    `${set("log.diffMerges", "remerge")}; ${set("merge.x.driver")}; ${all("merge=x")}`,
    "looks",
  ],
  [
    "a line after a comment that ends with a backslash",
    inConfig("# note \\\\\\n[diff] external = ../outside/evil.sh\\n"),
    "asks",
  ],
  [
    "a name with a line end of JavaScript",
    `${inConfig('[diff "x\\xe2\\x80\\xa8"]\\ntextconv = ../outside/evil.sh\\n')}; ${all("diff=x\\xe2\\x80\\xa8")}`,
    "asks",
  ],
  [
    "a name that is no text",
    `${inConfig('[filter "\\xff"]\\nclean = ../outside/evil.sh\\n')}; ${all("filter=\\xff")}`,
    "asks",
  ],
  [
    "a name with an escape sequence",
    `${inConfig('[filter "x\\x1b[0m"]\\nclean = ../outside/evil.sh\\n')}; ${all("filter=x\\x1b[0m")}`,
    "asks",
  ],
  ["blame.ignoreRevsFile", set("blame.ignoreRevsFile", "'~/.netrc'"), "asks"],
  ["core.attributesFile", set("core.attributesFile", "'~/.netrc'"), "looks"],
  [
    "a link to what core.attributesFile names",
    `ln -s ~/.netrc rules; ${set("core.attributesFile", "rules")}`,
    "looks",
  ],
  [
    "core.excludesFile",
    `echo 'machine' > $OUT/${canary}; ${set("core.excludesFile", `$OUT/${canary}`)}`,
    "looks",
  ],
  ["mailmap.file", set("mailmap.file", "'~/.netrc'"), "looks"],
  [
    ".git/info/attributes that leads out",
    "rm -f .git/info/attributes; ln -s ~/.netrc .git/info/attributes",
    "asks",
  ],
  [
    "the steps of a rebase that lead out",
    "mkdir .git/rebase-merge; cd .git/rebase-merge; echo refs/heads/x > head-name; git rev-parse HEAD > onto; touch interactive; ln -s ~/.netrc done",
    "asks",
  ],
  [
    "the place of a worktree that leads out",
    "mkdir -p .git/worktrees/x; cd .git/worktrees/x; echo ../.. > commondir; git rev-parse HEAD > HEAD; ln -s ~/.netrc gitdir",
    "asks",
  ],
  ["logs that lead out", 'ln -sf "$OUT/kept" .git/logs/HEAD', "asks"],
  ["branches that lead out", 'mv .git/refs/heads "$OUT/heads"; ln -s "$OUT/heads" .git/refs/heads', "asks"],
  [
    "commondir",
    'rm -r .git; mkdir .git; echo "$OUT/other/.git" > .git/commondir; cp "$OUT/other/.git/HEAD" .git',
    "asks",
  ],
  [
    "alternates",
    'rm -r .git; git init -q .; cp "$OUT/other/.git/refs/heads/main" .git/refs/heads/main; echo "$OUT/other/.git/objects" > .git/objects/info/alternates; git symbolic-ref HEAD refs/heads/main',
    "asks",
  ],
  [
    "objects that lead out",
    'rm -r .git; git init -q .; cp "$OUT/other/.git/refs/heads/main" .git/refs/heads/main; git symbolic-ref HEAD refs/heads/main; cd .git/objects; for f in "$OUT"/other/.git/objects/??; do mkdir "$(basename $f)"; ln -s "$f"/* "$(basename $f)"; done',
    "asks",
  ],
  [
    "an empty .git below another repository",
    'rm -r .git; mkdir .git; cp -r "$OUT/other/.git" ../.git',
    "asks",
  ],
  ["a .git file that names itself a worktree", `${fakeWorktree} echo ../.git > evil/gitdir`, "asks"],
  [
    "one that knows this folder by a detour",
    `${fakeWorktree} echo /proc/self/cwd/.git > evil/gitdir`,
    "asks",
  ],
  [
    "one that leads through a link",
    'mv .git kept.git; ln -s "$OUT/other" l; mkdir .x; echo "gitdir: l/../other/.git" > .git; mkdir other; cp -r kept.git other/.git',
    "asks",
  ],
  [
    "one whose name ends with a blank",
    'mv .git kept; cp -r "$OUT/other/.git" "kept "; printf "gitdir: kept \\n" > .git',
    "asks",
  ],
  ["core.worktree", set("core.worktree", '"$OUT/other"'), "asks"],
  [
    "a folder of the repository that leads out",
    'rm -r d; mkdir "$OUT/d"; cp ~/.netrc "$OUT/d/s.txt"; ln -s "$OUT/d" d',
    "looks",
  ],
  [
    "a submodule that is to be looked into",
    `${nested}; printf '[submodule "s"]\\npath = s\\nurl = ./s\\nignore = none\\n' > .gitmodules`,
    "looks",
  ],
  [
    "one of which only the index knows",
    `${nested}; printf '[submodule "s"]\\npath = s\\nurl = ./s\\nignore = none\\n' > .gitmodules; git add .gitmodules; rm .gitmodules`,
    "asks",
  ],
  [
    "one of an index with other modes",
    `${nested}; git update-index --index-version 4; printf '[submodule "s"]\\npath = s\\nignore = none\\n' > .gitmodules; git add .gitmodules; git commit -qm s; rm .gitmodules`,
    "asks",
  ],
];

describe("files that git obeys do no harm", () => {
  test.each(harmful)("%s", async (_, plant, expected) => {
    const { bench, run } = await prepared(plant);
    const before = run(traces);
    run("cp -a . ../careless");
    const { unasked, text } = await lookAround(bench);
    expect(run(traces)).toBe(before);
    expect(text).not.toContain(canary);
    expect(unasked.length === 0 ? "asks" : "looks").toBe(expected);
    // Without the precautions, the same commands do harm.
    const said = run(carelessly);
    expect(said.includes(canary) || run(traces) !== before).toBe(true);
  });

  test.each([
    ["nothing", "true"],
    [
      "settings of many repositories",
      `${set("core.excludesFile", ".ignored")}; ${set("blame.ignoreRevsFile", ".git-blame-ignore-revs")}; touch .git-blame-ignore-revs; ${set("mailmap.file", "names")}; ${set("log.diffMerges", "separate")}`,
    ],
    ["a linked worktree beside it", "git worktree add -q ../linked"],
    [
      "what cannot do harm",
      `ln -s $EVIL .git/hooks/pre-push; echo x > .git/info/grafts; ${set("trace2.eventTarget", "$OUT/PWNED")}; ${set("core.sshCommand")}; ${set("core.editor")}; ${set("credential.helper")}; ${set("url.ext::x.insteadOf", "x")}; ${set("core.notesRef", "refs/notes/x")}; ${set("log.showSignature", "true")}; ${set("alias.other", "'!touch PWNED'")}; ${set("merge.x.driver")}; ${set("status.submoduleSummary", "true")}; ${set("diff.submodule", "log")}; ${set("core.splitIndex", "true")}`,
    ],
  ])("and of %s nobody is asked more", async (_, plant) => {
    const { bench, run } = await prepared(plant);
    const before = run(traces);
    const { unasked, text } = await lookAround(bench);
    expect(unasked).toEqual(looks.filter((look) => !look.includes("--dirty")));
    expect(run(traces)).toBe(before);
    expect(text).toContain("Committed: ");
    expect(text).toMatch(/-main\\n\+more|\+more/);
  });
});
