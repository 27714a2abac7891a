/** Mode `auto` asks about a program that is known only when the command runs, like about the plain one. */
import { describe, expect, test } from "vitest";
import { openBench } from "../bench.ts";

async function lost(command: string): Promise<string | undefined> {
  const bench = await openBench();
  for (const path of ["kept/x.md", "kept.md", "src.c"]) bench.write(path, "x\n");
  return (await bench.examine("bash", { command })).command?.destroys;
}

describe("a program that is an expansion may change", () => {
  test.each([
    "gone=unlink; $gone kept.md",
    '"$gone" kept/x.md',
    "$" + "{gone:-shred} kept.md",
    "p=r; $" + "{p}m -r kept",
    "$(printf rm) -r kept",
    "`printf rm` kept.md",
    "$(command -v /bin/rm) kept.md",
    "$(echo $(echo rm)) kept.md",
    "/usr/bin/[r]m kept.md",
    "/bin/r? kept.md",
    "{unlink,kept.md}",
    "$line",
    'parts=(rm kept.md); "$' + '{parts[@]}"',
    "while read -r line; do $line; done < list",
    'eval "$line"',
    "eval $(cat list)",
    'again() { "$@"; }; again rm kept.md',
    "alias tidy=rm; tidy kept.md",
    "sh -c '$0 -r kept' rm",
    "env $gone kept.md",
    "timeout 5 $gone kept.md",
    "nohup $gone kept &",
    "find kept -exec $gone {} +",
    "ls | xargs $gone",
    "$gone --target=kept.md",
    "$gone -fkept.md",
    "$gone $files",
    "$gone *.md",
    "cd kept && $gone x.md",
    "if $gone kept; then :; fi",
  ])("%s", async (command) =>
    expect(await lost(command)).toMatch(/^it is unknown which program |which exists$/),
  );
});

describe("nothing is asked about", () => {
  test.each([
    "$PYTHON --version",
    "$run fresh.md",
    "command -v $program",
    '[ -f kept.md ] && [ "$x" = kept ]',
    "[[ -f kept.md ]]",
    "for f in kept/*; do echo $f; done",
    "$HOME/bin/show kept.md",
    '"$(dirname "$0")"/show.sh kept.md',
    'X=1 cat kept.md "$y"',
    "echo $(ls kept)",
    "unalias -a; alias",
  ])("%s", async (command) => expect(await lost(command)).toBeUndefined());
});

describe("an option that names an existing file as output", () => {
  test.each([
    "tree -o kept.md",
    "tree -L 2 kept -o kept.md",
    "somechecker -o kept.md",
    "somechecker -okept.md",
    "somechecker --output kept.md src",
    "somechecker --output=kept.md",
    "somechecker --report-output kept.md",
    "bundler src.c --outfile=kept.md",
    "compiler --outFile kept.md",
    "npm run docs -- --output-file kept.md",
    "strace -f -o kept.md ls",
    "command time -o kept.md ls",
    "cd kept && somechecker -o x.md",
  ])("is asked about: %s", async (command) => expect(await lost(command)).toMatch(/which exists$/));

  test.each([
    "tree -o new.md",
    "tree -P kept.md",
    "somechecker -o new.md",
    "somechecker -o kept",
    "somechecker --layout kept.md",
    "somechecker --without kept.md",
    "grep -o kept.md src.c",
    "ls -o kept.md",
    "make -o kept.md",
  ])("is not: %s", async (command) => expect(await lost(command)).toBeUndefined());
});
