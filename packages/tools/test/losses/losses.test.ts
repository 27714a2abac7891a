/** What a command may lose: mode `auto` asks about it, and about nothing that loses nothing. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Bench, openBench } from "../bench.ts";

const ends: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

let opened: Promise<Bench> | undefined;

/** Returns the one repository of these tests, which only examine commands. */
function project(): Promise<Bench> {
  opened ??= createProject();
  return opened;
}

async function createProject(): Promise<Bench> {
  const bench = await openBench({}, (end) => void ends.push(end));
  for (const path of ["a.txt", "b.txt", "src/a.js", "src/deep/b.js", "out/a.txt"]) bench.write(path, "x\n");
  for (const path of ["a.tar", "a.tgz", "a.zip", "a.7z", "a.patch", "a.cpio"]) bench.write(path, "x\n");
  mkdirSync(join(bench.root, "empty"));
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: bench.root });
  return bench;
}

async function lost(command: string): Promise<string | undefined> {
  return (await (await project()).examine("bash", { command })).command?.destroys;
}

describe("git loses nothing", () => {
  test.each([
    "git add .",
    "git add -A && git commit -m 'a b'",
    'git commit --amend -m "$MESSAGE"',
    "git log -p --stat -- a.txt",
    "git -c color.ui=never --no-pager diff HEAD~1",
    "git -C src status",
    "git switch main",
    "git switch -c other main",
    "git switch -",
    "git checkout main",
    "git checkout -b other origin/main",
    "git checkout -b src main",
    "git checkout -q HEAD~2",
    "git checkout -- gone.txt",
    "git branch other main",
    "git branch -d other",
    "git branch -m old new",
    "git stash",
    "git stash -u -m 'work in progress'",
    "git stash push -- a.txt",
    "git stash list",
    "git stash pop",
    "git stash apply stash@{1}",
    "git clean -n",
    "git clean -ndx src",
    "git clean --dry-run -fd",
    "git restore --staged a.txt",
    "git restore -S .",
    "git reset",
    "git reset --soft HEAD~1",
    "git reset -q HEAD a.txt",
    "git reset --mixed HEAD~2",
    "git tag v1.0",
    "git tag -a v1.0 -m 'the first'",
    "git mv a.txt c.txt",
    "git rm --cached a.txt",
    "git rm -r --cached src",
    "git revert HEAD",
    "git cherry-pick -x abc123",
    "git cherry-pick --continue",
    "git merge --no-ff other",
    "git apply --check a.patch",
    "git init",
    "git config user.name Ann",
    "git config --get user.name",
    "git reflog",
    "git remote -v",
    "git worktree list",
    "git submodule status",
    "git bisect start HEAD v1",
    "git fetch origin",
    "git --version",
    "ls | xargs git add",
  ])("%s", async (command) => expect(await lost(command)).toBeUndefined());
});

describe("git may lose work", () => {
  test.each([
    "git reset --hard",
    "git reset --har HEAD~1",
    "git reset --merge",
    "git reset --keep HEAD~1",
    "git switch -f main",
    "git switch --discard-changes main",
    "git switch --merge main",
    "git switch -C other",
    "git checkout -f main",
    "git checkout -fb other",
    "git checkout -B main other",
    "git checkout -- a.txt",
    "git checkout HEAD a.txt",
    "git checkout a.txt",
    "git checkout .",
    "git -C src checkout a.js",
    "git checkout ':(top)'",
    "git checkout $FILE",
    "git checkout -p",
    "git restore a.txt",
    "git restore --staged --worktree a.txt",
    "git restore -SW a.txt",
    "git restore --source=HEAD~1 .",
    "git clean -fd",
    "git clean -xdf",
    "git branch -D other",
    "git branch -f other main",
    "git branch -M main",
    "git stash drop",
    "git stash clear",
    "git tag -d v1",
    "git tag -f v1",
    "git mv -f a.txt b.txt",
    "git apply a.patch",
    "git apply -",
    "git merge --abort",
    "git cherry-pick --skip",
    "git rebase main",
    "git rebase --abort",
    "git reflog expire --all",
    "git gc --prune=now",
    "git update-ref -d HEAD",
    "git filter-branch --all",
    "git checkout-index -f -a",
    "git read-tree -u --reset HEAD",
    "git worktree remove --force other",
    "git push --force origin main",
    "git push origin +main",
    "git lfs prune",
    "git unknown",
    "git -c alias.x='reset --hard' x",
    "git --work-tree=. checkout main",
    "git --icase-pathspecs checkout A.TXT",
    "git diff --outpu=a.txt",
    "git ls-files | xargs git checkout --",
    "cd src && git checkout a.js",
    "sh -c 'git reset --hard'",
  ])("%s", async (command) =>
    expect(await lost(command)).toMatch(/^git \S+ may lose work that git does not keep$|, which exists$/),
  );
});

describe("a command keeps the content of existing files", () => {
  test.each([
    "echo x >> a.txt",
    "npm test &>> a.txt",
    "sh -c 'echo x >> a.txt'",
    "chmod +x a.txt",
    "chmod -R u+w src",
    "touch a.txt src/*.js",
    "mkdir -p src/{new,other}",
    "cp a.txt src",
    "cp a.txt b.txt src/",
    "cp -r out src",
    "cp -n a.txt b.txt",
    "ln -s a.txt src",
    "ln -s a.txt b.txt",
    "echo x | tee -a a.txt",
    "npm test > new.txt",
    "mkdir -p new && tar xzf a.tgz -C new",
    "tar -xf a.tar --directory=empty",
    "tar tf a.tar",
    "tar -tvf a.tar",
    "tar --list -f a.tar",
    "tar -df a.tar",
    "tar --compare --file=a.tar",
    "tar --diff -f a.tar",
    "tar xOf a.tar x",
    "tar -xkf a.tar",
    "tar czf new.tgz src",
    "tar --exclude=x -czf new.tgz src",
    "unzip -l a.zip",
    "unzip -n a.zip",
    "unzip -q a.zip -d new",
    "7z x a.7z -onew",
    "patch --dry-run -p1 < a.patch",
    "sed -n '/x/p' a.txt",
    "sed 's/a/world/; s|b|w c|g' a.txt",
    "sed -n '/x/w new.txt' a.txt",
    "sed 'y/abc/xwz/' a.txt",
    "sed -e '1i w a.txt' -e p a.txt",
    "sed '/w a.txt/d' b.txt",
    "sed 's/x/y/w new.txt' a.txt",
    "awk '{ print $1 }' a.txt",
    "awk '{ print > \"new.txt\" }' a.txt",
    "awk '{ print >> \"a.txt\" }' b.txt",
    "sed 's/[a-z]*/b/' a.txt",
    "find . -name '*.js' | xargs wc -l",
    "find . -name '*.js' -exec chmod -x {} +",
    "find . -name '*.js' -print",
    "fd -e js -x wc -l",
    "ls | xargs sed -n 1p",
  ])("%s", async (command) => expect(await lost(command)).toBeUndefined());
});

describe("a command may remove or replace content", () => {
  test.each([
    ["echo x > a.txt", /^it changes "a.txt", which exists$/],
    ["echo x >| a.txt", /"a.txt"/],
    ["echo x &> a.txt", /"a.txt"/],
    ["echo x >> a.txt; : > a.txt", /"a.txt"/],
    ["sh -c 'echo x > a.txt'", /"a.txt"/],
    ["cp b.txt a.txt", /"a.txt"/],
    ["cp a.txt out", /"out\/a.txt"/],
    ["cp -r src/ out", /"out"/],
    ["cp -rT src out", /"out"/],
    ["cp -r src/. out", /"out"/],
    ["ln -sf a.txt b.txt", /"b.txt"/],
    ["rm -r src", /"src"/],
    ["rsync -a src/ out/", /"out"/],
    ["tar xzf a.tgz", /^tar writes files that the command does not name$/],
    ["tar -xf a.tar -C src", /^tar writes/],
    ["cd src && tar --extract -f ../a.tar", /^tar writes/],
    ["tar -C $DIR -xf a.tar", /^tar writes/],
    ["cat a.tar | tar x", /^tar writes/],
    ["tar --delay-directory-restore -xf ../a.tar", /^tar writes/],
    ["tar --compress -xf ../a.tar.Z", /^tar writes/],
    ["tar --listed-incremental=new -xf ../a.tar", /^tar writes/],
    ["tar --ge -f ../a.tar", /^tar writes/],
    ["tar --confirmation -xf ../a.tar", /^tar writes/],
    ["tar cf a.tar src", /"a.tar"/],
    ["tar --compress -cf a.tar src", /"a.tar"/],
    ["tar --listed-incremental=new -cf a.tar src", /"a.tar"/],
    ["tar --delete -f a.tar src", /"a.tar"/],
    ["tar --ap -f a.tar -- -t", /"a.tar"/],
    ["tar --ca -f a.tar -- -x.tar", /"a.tar"/],
    ["unzip -o a.zip", /^unzip writes/],
    ["unzip a.zip -d src", /^unzip writes/],
    ["7z x a.7z", /writes files/],
    ["patch -p1 < a.patch", /^patch writes files/],
    ["cat a.patch | patch -p1", /^patch writes files/],
    ["cat a.patch | git apply", /^git apply may lose work/],
    ["cpio -idm < a.cpio", /writes files/],
    ["sed -n '/x/w a.txt' b.txt", /"a.txt"/],
    ["sed -ne '/x/{p;w a.txt' -e '}' b.txt", /"a.txt"/],
    ["sed 's/x/y/gw a.txt' b.txt", /"a.txt"/],
    ["sed 's,x,y,;wa.txt' b.txt", /"a.txt"/],
    ["sed -f script.sed b.txt", /^sed writes files that its script names$/],
    ["awk '{ print > \"a.txt\" }' b.txt", /"a.txt"/],
    ['awk \'{ print >> "b"; print > "a.txt" }\' b.txt', /"a.txt"/],
    ["echo x | tee a.txt", /"a.txt"/],
    ["truncate -s 0 a.txt", /"a.txt"/],
    ["sed -i s/a/b/ a.txt", /"a.txt"/],
    ["rm $FILE", /^it is unknown which files "rm" changes$/],
    ["ls | xargs rm", /unknown which files "rm"/],
    ["ls | xargs sed -i s/a/b/", /unknown which files "sed"/],
    ["find . -name a -exec rm {} +", /unknown which files "rm"/],
    ["find . -name a -delete", /./],
    ["fd -e js -X rm", /unknown which files "rm"/],
    ["fdfind . src --exec rm -rf", /unknown which files "rm"/],
    ["fd -HX rm", /unknown which files "rm"/],
    ["fd --exec-batch=rm", /unknown which files "rm"/],
    ["fd a -xrm", /unknown which files "rm"/],
    ["fd a -x mv {} {.}.old", /unknown which files "mv"/],
    ["tar --remove-files -cf n.tar src", /removes the files/],
    ["tar --rem -cf n.tar src", /removes the files/],
    ["zip -rm n.zip src", /removes the files/],
    ["7z a -sdel n.7z src", /removes the files/],
    ["rsync -a --remove-source-files src/ new/", /removes/],
  ])("%s", async (command, said) => expect(await lost(command)).toMatch(said));
});

test.each(["npm init -y", "yarn init", "pnpm init"])("%s needs no network", async (command) => {
  expect((await (await project()).examine("bash", { command })).command?.leaves).toBeUndefined();
});
