import { homedir } from "node:os";
import { expect, test } from "vitest";
import { homeNote } from "../../../src/sandbox/home/home-note.ts";

const home = { homes: ["/home/ann"], shown: [{ path: "/home/ann/.nvm", why: "Node" }] };

test.each([
  "cat: /home/ann/.netrc: No such file or directory",
  "cat: '/home/ann/notes/a b': No such file or directory",
  "Error: ENOENT: no such file or directory, open '/home/ann/x.json'",
  "python3: can't open file '/home/ann/bin/x.py': [Errno 2] No such file or directory",
  "ls: cannot access '~/x': No such file or directory",
])("%j is explained", (output) => {
  const homes = { ...home, homes: [...home.homes, homedir()] };
  expect(homeNote("/home/ann/work", homes, `one\n${output}\ntwo`)).toMatch(
    /hides the home folder.*sandbox_readable/,
  );
});

test.each([
  "cat: /home/ann/work/a.txt: No such file or directory",
  "cat: /home/ann/.nvm/x: No such file or directory",
  "cat: /etc/x: No such file or directory",
  "cat: /mnt/home/ann/x: No such file or directory",
  "/home/ann/x is fine",
  "cat: a.txt: No such file or directory",
])("%j is not", (output) => expect(homeNote("/home/ann/work", home, output)).toBeUndefined());

test("nothing is said where no home folder is hidden", () =>
  expect(homeNote("/w", undefined, "cat: /home/ann/x: No such file or directory")).toBeUndefined());
