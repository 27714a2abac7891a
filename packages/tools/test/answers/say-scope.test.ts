/** The sentence about an answer names as compared what is compared, and says of the rest that it may change. */
import { expect, test } from "vitest";
import { prepared } from "../shell/examined.ts";

const files: Readonly<Record<string, string>> = {
  Makefile: "test:\n\tpython3 -m unittest discover specs\n",
  "specs/test_a.py": "",
  "lib/util.py": "",
  "main.py": "import lib.util\n",
  "all.sh": '. "$(dirname "$0")/lib.sh"\n',
  "x.dc": "1\n",
  "a.js": "\n",
  "b.js": "\n",
  "c.js": "\n",
  "d.js": "\n",
  "e.js": "\n",
};

const loads = "other files that it loads may change";

test.each<[command: string, covers: string]>([
  [
    "make",
    `, as long as Makefile and the names of the modules in its folder do not change; the files in specs and ${loads}`,
  ],
  ["npx vitest run specs lib", `, as long as package.json does not change; ${loads}`],
  ["pytest specs", `; ${loads}`],
  ["npm test", `, as long as the scripts of package.json do not change; ${loads}`],
  ["bash all.sh", ", as long as no file of the workspace changes"],
  ["rm x.dc", ""],
  ["cp x.dc y.dc", ", as long as x.dc does not change"],
  ["sed -i s/1/2/ x.dc", ", as long as x.dc does not change"],
  ["node a.js b.js", `, as long as a.js and b.js do not change; ${loads}`],
  ["node a.js b.js c.js d.js e.js", `, as long as a.js, b.js, c.js and 2 more do not change; ${loads}`],
])("%s%s", async (command, covers) => {
  const bench = await prepared();
  for (const [path, text] of Object.entries(files)) bench.write(path, text);
  const facts = await bench.examine("bash", { command });
  expect(facts.covers).toBe(`exactly this command${covers}: ${command}`);
});

test("an answer about a program that is not known says that it ends when a tool writes", async () => {
  const bench = await prepared();
  bench.write("x.dc", "1\n");
  expect((await bench.examine("bash", { command: "frob x.dc" })).covers).toBe(
    "exactly this command, as long as x.dc does not change and no tool writes another file: frob x.dc",
  );
});
