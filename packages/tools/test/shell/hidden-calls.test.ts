import { loadGrammar } from "@localharness/commands/shell/grammar";
import { hiddenCalls } from "@localharness/commands/shell/hidden-calls";
import { createReader } from "@localharness/commands/shell/reader";
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";

const grammar = await loadGrammar();

function hiddenIn(text: string) {
  const reader = createReader(grammar);
  return hiddenCalls(reader.read(text), reader);
}

const rm = ["rm", "-rf", "x"];

test.each([
  "sudo rm -rf x",
  "sudo -u root -E rm -rf x",
  "sudo --user=root rm -rf x",
  "doas -u me rm -rf x",
  "env A=1 rm -rf x",
  "env -i -u B A=1 rm -rf x",
  "env -S 'rm -rf x'",
  "nice -n 5 rm -rf x",
  "nice rm -rf x",
  "nohup rm -rf x",
  "timeout 5 rm -rf x",
  "timeout -k 5 --signal=KILL 10s rm -rf x",
  "time rm -rf x",
  "stdbuf -oL rm -rf x",
  "setsid -f rm -rf x",
  "command rm -rf x",
  "builtin command rm -rf x",
  "exec -a y rm -rf x",
  "xargs -n 1 rm -rf x",
  "ls | xargs rm -rf x",
  "watch -n 1 rm -rf x",
  "parallel rm -rf x",
  "find . -name a -exec rm -rf x ';'",
  "find . -execdir rm -rf x +",
  "bash -c 'rm -rf x'",
  "bash -lc 'rm -rf x'",
  "sh -e -c 'true; rm -rf x'",
  "/bin/sh -c 'rm -rf x'",
  "su me -c 'rm -rf x'",
  "script -c 'rm -rf x' /dev/null",
  "flock lock rm -rf x",
  "flock lock -c 'rm -rf x'",
  "eval rm -rf x",
  "eval 'rm -rf' x",
  "npx rm -rf x",
  "npm exec -- rm -rf x",
  "uv run rm -rf x",
  "bundle exec rm -rf x",
  "ssh -p 22 host rm -rf x",
  "busybox rm -rf x",
  "/bin/rm -rf x",
  "sudo env nice -n 3 timeout 4 bash -c 'sudo rm -rf x'",
  "echo $(sudo rm -rf x)",
  ...["git bisect run rm -rf x", "git rebase -x 'rm -rf x' main", "git rebase --exec='rm -rf x' main"],
  ...["git submodule foreach --recursive rm -rf x", "git -c core.pager='rm -rf x' log"],
  ...["git -c alias.y='!rm -rf x' y", "git -C sub difftool -x 'rm -rf x'", "git push --exec 'rm -rf x' y"],
  ...["git rebase -ix 'rm -rf x' main", "git rebase --exe 'rm -rf x' main", "git -c alias.y='!rm -rf' y x"],
  ...["git -c alias.y='!rm' Y -rf x", "git submodule foreach -q --recursive 'cd x; rm -rf x'"],
  ...["git submodule foreach 'true; rm' -rf x", "git bisect run sh -c 'true; rm -rf x'"],
  ...["git filter-branch --tree-filter 'rm -rf x'", "git clone 'ext::rm -rf x'", "git grep -O'rm -rf x' y"],
  ...["trap 'rm -rf x' EXIT", "alias y='rm -rf x'; y", "coproc rm -rf x", "systemd-run --user rm -rf x"],
  ...["tar --to-command='rm -rf x' -xf a", "tar -cf a --checkpoint-action=exec='rm -rf x' b"],
  ...[
    "csh -c 'rm -rf x'",
    "tcsh -c 'rm -rf x'",
    "rbash -c 'rm -rf x'",
    "yash -c 'rm -rf x'",
    "nu -c 'rm -rf x'",
  ],
  ...["bash -co pipefail 'rm -rf x'", "bash -c -o pipefail 'rm -rf x'", "dash -eco noglob 'rm -rf x'"],
  ...["bash +O extglob -c -- 'rm -rf x'", "bash --rcfile y -c 'rm -rf x'", "fish --command 'rm -rf x'"],
  ...["bash -oe pipefail -c 'rm -rf x'", "bash -posix -c 'rm -rf x'", "bash -norc -c 'rm -rf x'"],
  ...["zsh -opipefail -c 'rm -rf x'", "zsh -O -c 'rm -rf x'", "dash -oerrexit -c 'rm -rf x'"],
  ...[
    "fish -c'rm -rf x'",
    "nu -c'rm -rf x'",
    "parallel -j 2 ::: ls 'rm -rf x'",
    "parallel sh -c ::: 'rm -rf x'",
  ],
  ...["parallel :::+ 'rm -rf x'", "parallel {} ::: 'rm -rf x' :::: a.txt"],
  ...["strace -I 1 -X raw rm -rf x", "sudo --foo a --bar b rm -rf x", "sudo -Y --foo a -Z b rm -rf x"],
  ...["rsync -e 'rm -rf x' a b", "sort --compress-program 'rm -rf x' a", "xvfb-run -s y rm -rf x"],
])("looks through %s", (text) => {
  expect(hiddenIn(text).calls).toContainEqual(rm);
});

test.each([
  ...["bash", "bash -euo pipefail", "bash -O extglob", "bash -oO pipefail extglob", "bash -s y", "sh -"],
  ...["bash --rcfile y", "bash -rcfile y", "dash +o noglob --", "bash -i -o posix", "sh /dev/stdin y"],
  ...["fish --no-config y", "sudo bash -o pipefail", "bash -x", "zsh --emulate sh"],
  ...["xargs -0 sh -c", "xargs -0 bash -ec", "xargs -0 timeout 5 sh -c", "xargs bash -co pipefail"],
  ...["xargs env", "xargs -n 9 sudo nice", "parallel bash -c", "xargs env -i"],
  ...["parallel bash -c :::: a.txt", "parallel ::: ls", "bash -oe pipefail y", "zsh -oerrexit"],
])("what %s gets as its input is run", (program) => {
  const found = hiddenIn(`echo 'rm -rf x' | ${program}`);
  expect(found.fromInput).toBe(true);
  expect(found.calls).toContainEqual(rm);
});

test.each([
  ...["bash y", "bash -euo pipefail y", "bash -o pipefail -O extglob y z", "sh -- y", "bash --norc y"],
  ...["bash -c 'ls' y", "bash --version", "sh +e y", "xargs sh -c 'ls'", "xargs -0 nice ls", "env"],
  ...["parallel -k 'echo {1} {2}' ::: a ::: b", "parallel -j4 gzip {} :::: a.txt", "xargs sed -i s/a/b/"],
])("what %s gets as its input is no command", (program) => {
  expect(hiddenIn(`echo 'rm -rf x' | ${program}`)).toMatchObject({ fromInput: false });
});

test.each([
  "git -C sub push origin",
  "git --no-pager -c core.pager=cat push origin",
  "git --git-dir=x --work-tree y push origin",
  "sudo /usr/bin/git -C sub push origin",
  "cd sub && git -P push origin",
])("finds the command of git in %s", (text) => {
  expect(hiddenIn(text).calls).toContainEqual(["git", "push", "origin"]);
});

test("the words that git gives to a shell keep their quotes", () => {
  expect(hiddenIn("git bisect run sh -c 'test -e \"a b\"' 'c; d'").calls).toEqual([
    ["sh", "-c", 'test -e "a b"', "c; d"],
    ["test", "-e", "a b"],
  ]);
  expect(hiddenIn("git submodule foreach echo 'c; d'").calls).toEqual([["echo", "c; d"]]);
  expect(hiddenIn("git -c alias.y='reset --hard' y 'a b'").calls).toContainEqual([
    "git",
    "reset",
    "--hard",
    "a b",
  ]);
});

test.each([
  "ls -la",
  "echo sudo rm -rf x",
  "grep 'rm -rf x' file",
  "git commit -m 'rm -rf x'",
  "timeout 5 grep rm file",
  "git bisect run grep 'a; rm -rf x' b",
  "git bisect run test 'a && rm -rf x'",
  "git submodule foreach grep 'a; rm -rf x'",
  "git -c alias.y='!grep' y 'a; rm -rf x'",
])("finds no such call in %s", (text) => {
  expect(hiddenIn(text).calls).not.toContainEqual(rm);
  expect(hiddenIn(text).calls.filter((words) => words[0] === "rm")).toEqual([]);
});

test("a plain command hides nothing", () => {
  expect(hiddenIn("git status; ls")).toEqual({
    calls: [],
    writesTo: [],
    truncates: [],
    readsFrom: [],
    endless: false,
    unsteady: false,
    namesRepository: false,
    doubles: false,
    fromInput: false,
  });
});

test("deleting by find counts as rm", () => {
  expect(hiddenIn("find . -name a -delete").calls.map((words) => words[0])).toContain("rm");
});

test.each<[string, (index: number) => string]>([
  ["one name", () => "xargs -I%"],
  ["many names", (index) => `xargs -I${index}`],
  ["unknown options", (index) => `xargs -Y ${index}`],
])("a chain of xargs with %s is looked through in linear time", async (_names, link) => {
  const look = (length: number) => {
    const chain = Array.from({ length }, (_, index) => link(index)).join(" ");
    return () => expect(hiddenIn(`${chain} ls`).endless).toBe(true);
  };
  expect(await growth(look(250), look(2_000), 24)).toBeLessThan(24);
});

test("says when there is no end to it", () => {
  expect(hiddenIn(`${"env ".repeat(20)}rm x`).endless).toBe(true);
  expect(hiddenIn(`strace ${"-X y ".repeat(100)}rm x`).endless).toBe(true);
});
