/** The fact `looks`: a command that only reads ordinary files needs no question in a trusted folder. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isOutside } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { sharedBench } from "../bench.ts";

const files = {
  "a.md": "a\n",
  "src/b.js": "b\n",
  "src/deep/c.js": "c\n",
  "keys/.env": "KEY=1\n",
  "odd/-x": "x\n",
  "set/.vscode/settings.json": "{}\n",
};

/** Returns the one project of these tests, which only examine commands. */
const project = sharedBench({}, (bench) => {
  for (const [path, text] of Object.entries(files)) bench.write(path, text);
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: bench.root });
  git("init", "-q");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@localhost");
  for (const path of ["a.md", "keys/.env", "src"]) {
    git("add", path);
    git("commit", "-qm", path);
  }
  mkdirSync(join(bench.root, "links"));
  symlinkSync("../keys/.env", join(bench.root, "links/plain.txt"));
  bench.write("a.md", "changed\n");
});

async function looks(command: string): Promise<boolean> {
  const facts = await (await project()).examine("bash", { command });
  return facts.looks === true && (facts.concerns ?? []).length === 0;
}

describe("run unasked", () => {
  test.each([
    "ls",
    "ls -la src",
    "cat a.md src/b.js",
    "wc -l src/*.js",
    "cat *.md",
    "ls *",
    "cat nothing*",
    "head -3 s?c/b.js | sort",
    "grep -rn b src",
    "git log --oneline -5",
    "git status --short",
    "git diff",
    "git diff HEAD",
    "git show",
    "git show HEAD --stat",
    "git blame a.md",
    "cd src && cat *.js",
    "cd src && grep -n b *.js | head -3",
    "grep -rn b src --include=*.js",
    "test -f a.md && echo yes",
    "head -c 9 a.md | xxd",
    "jq .version a.md",
    'awk "{print}" a.md',
    "awk 'NR>1 && NR<5 {print $1}' a.md",
  ])("%s", async (command) => expect(await looks(command)).toBe(true));
});

describe("ask", () => {
  test.each([
    ["a secret by its name", "cat keys/.env"],
    ["a secret by a pattern", "cat keys/.e*"],
    ["a secret by a link", "cat links/plain.txt"],
    ["a folder with a secret", "grep -r x keys"],
    ["the whole folder, which has a secret below", "grep -r x ."],
    ["the whole folder without a word for it", "grep -r x"],
    ["a folder with a protected name", "grep -rn x set"],
    ["a protected name", "cat .git/config"],
    ["a commit that shows a secret", "git show HEAD~1"],
    ["a range of commits that shows a secret", "git diff HEAD~2"],
    ["a history that shows a secret", "git log -p"],
    ["a tag, which may be the contents of a file", "git show v1"],
    ["a pattern after a quoted text, which is one word with it", "cat 'src/'*"],
    ["a pattern before a quoted text", "cat *'.md'"],
    ["a pattern between quoted texts", "cat 'a'*\"d\""],
    ["a pattern with a set of characters", "cat [ab]*"],
    ["a name that would be an option", "cd odd && cat *"],
    ["a file outside", "cat /etc/hosts"],
    ["a command in a pattern", "cat $(ls *)"],
    ["a secret by a pattern in the folder of cd", "cd keys && cat .e*"],
    ["a link to a secret by a pattern in the folder of cd", "cd links && cat *.txt"],
    ["a folder that only a pattern names", "cd s* && cat *"],
    ["a folder outside", "cd .. && cat *"],
    ["a folder with a link to elsewhere", "cd src/../.. && cat *"],
    ["a pattern after a second cd", "cd src && cd deep && cat * && cd .. && cat *"],
    ["a pattern after ;, which also runs if cd fails", "cd src && pwd; cat *"],
    ["a pattern in an option of grep over a secret", "grep -rn x . --include=.e*"],
    ["a secret that test looks at", "test -f keys/.env"],
    ["a secret in awk", "awk 1 keys/.env"],
    ["a secret in jq", "jq . keys/.env"],
    ["a secret in xxd", "xxd keys/.env"],
    ["a file outside in awk", "awk 1 /etc/hosts"],
    ["a write", "cat *.md > out"],
    ["a program that writes its second word", "uniq a.md src/*"],
    ["a program that runs its words", "node src/*.js"],
  ])("%s: %s", async (_why, command) => expect(await looks(command)).toBe(false));
});

describe("mode auto", () => {
  test.each([
    ["rm -r src", /^it changes "src", which exists/],
    ["rm *.md", /^it changes "a.md", which exists/],
    ["rm -rf $X", /is unknown which files "rm" changes/],
    ["echo x > a.md", /^it changes "a.md", which exists/],
    ["mv a.md b.md", /^it changes "a.md", which exists/],
    ["git checkout -- a.md", /git checkout may lose work/],
    ["git reset --hard", /git reset may lose work/],
    ["find . -name x -delete", /^it changes/],
    ["npm test > out.txt", undefined],
    ["mkdir made && touch made/x", undefined],
    ["git switch -c other", undefined],
    ["git checkout -b other", undefined],
    ["git checkout -b other main~1 -f", /may lose work/],
    ["git checkout -fb other", /may lose work/],
    ["git switch -C other", /may lose work/],
  ])("is told what %s destroys", async (command, said) => {
    const facts = await (await project()).examine("bash", { command });
    if (said === undefined) expect(facts.command?.destroys).toBeUndefined();
    else expect(facts.command?.destroys).toMatch(said);
  });

  test.each([
    ["grep -rn KEY .", true],
    ["grep -R KEY keys | head", true],
    ["cd keys && egrep -r KEY", true],
    ["bash -c 'grep -rn KEY .'", true],
    ["grep --recursive --include=.env KEY .", true],
    ["rg --hidden KEY", true],
    ["rg -uu KEY", true],
    ["find . -type f | xargs grep -n KEY", true],
    ["find . -type f -print0 | xargs -0 grep -n KEY", true],
    ["find . -type f -exec grep -n KEY {} +", true],
    ["git ls-files | xargs grep KEY", true],
    ["git grep -n KEY", true],
    ["git grep --untracked KEY", true],
    ["git grep -l KEY", false],
    ["git commit -m grep", false],
    ["find . -name '*.js' | xargs wc -l", false],
    ["rg KEY", false],
    ["grep -rl KEY .", false],
    ["grep -rn --include=*.js KEY .", false],
    ["grep -rn KEY src", false],
    ["grep KEY a.md", false],
    ["find . -name '*.js'", false],
    ["cat ~root/.profile", false],
  ])("%s shows a secret: %s", async (command, shows) => {
    const facts = await (await project()).examine("bash", { command });
    expect((facts.concerns ?? []).some(({ id }) => id.startsWith("secret:"))).toBe(shows);
  });

  test.each([
    "cd ..",
    "cd .. && cat a",
    "pushd ..; ls",
    "ls ..",
    "grep -rn KEY ..",
    "rg KEY ..",
    "cat ../*",
    "cat ../../*",
    "head /etc/*release",
    "find .. -type f",
  ])("%s is told to reach outside", async (command) => {
    const facts = await (await project()).examine("bash", { command });
    expect(facts.paths?.some(isOutside)).toBe(true);
  });

  test("the home folder of another user is outside", async () => {
    const pathsOf = async (command: string) =>
      (await (await project()).examine("bash", { command })).paths?.map(({ path }) => path);
    expect(await pathsOf("cat ~root/.profile")).toEqual(["/root/.profile"]);
    expect(await pathsOf("cd ~root && head -1 .profile")).toContain("/root");
    expect(await pathsOf("cat ~daemon/nologin")).toEqual([expect.stringMatching(/^\/.*daemon\/nologin$/)]);
  });

  test.each([
    ["git push origin main", /pushes to another repository \(git push\)/],
    ["npm install", /downloads packages/],
    ["sudo curl https://example.com", /reaches another machine/],
    ["curl -s http://127.0.0.1:3000/x", undefined],
    ["curl localhost:3000 -d a=b -X POST", undefined],
    [
      "node server.js & sleep 1; curl -sSX POST -H 'Content-Type: application/json' localhost:3000/a",
      undefined,
    ],
    ["wget -qO- localhost:3000", undefined],
    ["wget -d example.com localhost", /reaches another machine/],
    ["curl http://localhost:80@example.com", /reaches another machine/],
    ["curl http://localhost.example.com", /reaches another machine/],
    ["curl -L http://localhost", /reaches another machine/],
    ["curl http://localhost http://example.com", /reaches another machine/],
    ["docker run x", /outside of the sandbox/],
    ["npm install --offline", undefined],
    ["npm test", undefined],
  ])("is told why %s needs more than the sandbox", async (command, said) => {
    const facts = await (await project()).examine("bash", { command });
    if (said === undefined) expect(facts.command?.leaves).toBeUndefined();
    else expect(facts.command?.leaves).toMatch(said);
  });
});
