/** The files that commands write, in all ways to name a file: for questions about protected names. */
import type { PolicyRule } from "@localharness/engine";
import { expect, test } from "vitest";
import { concernsOf, decidedBy, factsOf, prepared } from "./examined.ts";

test.each([
  ...[
    "ls >| .npmrc",
    "ls &> .npmrc",
    "ls 2>.npmrc",
    "find . -fprint .npmrc",
    "find . -fls .npmrc",
    "sed -n 'w .npmrc' a.txt",
  ],
  ...[
    "sed -n w.npmrc a.txt",
    "sed 's/x/y/w .npmrc' a.txt",
    "awk '{print > \".npmrc\"}' a.txt",
    "sort -o.npmrc a.txt",
  ],
  ...[
    "sort -uo .npmrc a.txt",
    "tar -cf .npmrc a.txt",
    "tar cf .npmrc a.txt",
    "curl -o.npmrc x",
    "wget -O.npmrc x",
  ],
  ...[
    "echo x > {.npmrc,a}",
    "echo x > .np{m,}rc",
    "tee .n{pmrc,x}",
    "echo x > .npm*",
    "touch .np*",
    "cp a.txt .np?rc",
  ],
  ...[
    "ed .npmrc",
    "split a.txt .npmrc",
    "python3 -c \"open('.npmrc','w')\"",
    "node -e \"f.writeFileSync('.npmrc')\"",
  ],
  ...[
    "cat > .npmrc <<X\na\nX",
    "f() { echo x > .npmrc; }; f",
    "exec 3>.npmrc",
    "echo x >& .npmrc",
    "dd of=.npmrc",
  ],
  ...[
    "echo x > $'\\056npmrc'",
    `echo x > \${X:-.npmrc}`,
    "X=.npmrc; echo x > $X",
    "sh <<X\necho x > .npmrc\nX",
  ],
  ...[
    "link a.txt .npmrc",
    "awk -i inplace 1 .npmrc",
    "vim -es +wq .npmrc",
    "uniq a.txt .npmrc",
    "xxd -r a .npmrc",
  ],
  ...[
    "sort --outp=.npmrc a.txt",
    "curl -OL http://x/.npmrc",
    "curl -D .npmrc x",
    "curl --cookie-jar .npmrc x",
  ],
  ...[
    "wget http://x/.npmrc?y",
    "wget --output-document=.npmrc x",
    "tar --create --file=.npmrc a",
    "tar xf a .npmrc",
  ],
  ...[
    "zip .npmrc a.txt",
    "unzip a.zip .npmrc",
    "gunzip .npmrc.gz",
    "cp --target=.npmrc a",
    "gpg -o .npmrc x",
  ],
  ...[
    "git mv a.txt .npmrc",
    "git rm .npmrc",
    "git checkout -- .npmrc",
    "git restore .npmrc",
    "git diff --output=.npmrc",
  ],
  ...[
    "git archive -o .npmrc HEAD",
    "git config -f .npmrc a.b c",
    "npm config set script-shell ./x",
    "npm set a b",
  ],
  ...["tsc --outFile .npmrc", "any --output-path=.npmrc", "coproc tee .npmrc", "trap 'echo x > .npmrc' EXIT"],
  ...[
    "find . -exec sh -c 'echo > .npmrc' \\;",
    "tar xf a.tar -C.npmrc",
    "cp -t.npmrc a.txt",
    "cp -rt .npmrc a.txt",
  ],
])("what writes a protected name is asked about: %s", async (text) => {
  const bench = await prepared();
  bench.write(".npmrc", "a=b\n");
  expect(concernsOf(await factsOf(bench, text))).toContain("protected:.npmrc");
});

test.each([
  ...[
    "git config core.fsmonitor ./x",
    "git config --add alias.x '!./x'",
    "git -C sub config set core.pager x",
  ],
  ...[
    "git config --edit",
    "git clone x .git/y",
    "cd ./.g* && echo x > config",
    "cd $PWD/.git && echo x > config",
  ],
  ...[
    "cd .git/new && echo x > config",
    "csplit -f .git/hooks/x a.txt 1",
    "mktemp -p .git",
    "7z x a.7z -o.git",
  ],
])("what writes into .git is asked about: %s", async (text) => {
  expect(concernsOf(await factsOf(await prepared(), text))).toContain("protected:.git");
});

test.each([
  ...[
    "git config user.name x",
    "git config core.pager",
    "git config --get core.pager x",
    "git config --unset a.b",
  ],
  ...[
    "git checkout main",
    "git mv a.txt b.txt",
    "tar -czf out.tgz --exclude=.git .",
    "rsync -a --exclude .git a b",
  ],
  ...["find . -not -path './.git/*' -exec wc -l {} +", "grep -rn x --exclude-dir .git . > out"],
  ...[
    "npm config get x",
    "wget -O x http://x/.npmrc",
    "cat .npmrc.example",
    "eslint --ignore-path .gitignore .",
  ],
])("what writes no protected name: %s", async (text) => {
  const concerns = concernsOf(await factsOf(await prepared(), text));
  expect(concerns.filter((id) => id.startsWith("protected:"))).toEqual([]);
});

test.each([
  "echo x > private/a.md",
  "echo x >> private/a.md",
  "sed -n 'w private/a.md' a.txt",
  "awk '{print > \"private/a.md\"}' a.txt",
  "awk '{print >>\"private/a.md\"}' a.txt",
])("a rule that denies writes to a path denies %s", async (command) => {
  const rule: PolicyRule = {
    id: "r",
    decision: "deny",
    justification: "",
    path: "private/**",
    access: "write",
  };
  expect(await decidedBy(rule, await prepared(), command)).toBe("deny");
});
