import { loadGrammar } from "@localharness/commands/shell/grammar";
import { readCommand } from "@localharness/commands/shell/read-command";
import { describe, expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";

const grammar = await loadGrammar();

describe("reads with certainty", () => {
  test.each<[string, string[][]]>([
    ["git status", [["git", "status"]]],
    ["ls;", [["ls"]]],
    ["ls\npwd\n\n", [["ls"], ["pwd"]]],
    ["a && b || c; d | e", [["a"], ["b"], ["c"], ["d"], ["e"]]],
    ["a &&\n b", [["a"], ["b"]]],
    ["echo 'a > b; c && $(d)'", [["echo", "a > b; c && $(d)"]]],
    [`git commit -m "fix; really && done | ok!"`, [["git", "commit", "-m", "fix; really && done | ok!"]]],
    ['echo "a\\"b \\. \\\\"', [["echo", 'a"b \\. \\']]],
    [`echo a'b c'"d e"f ''`, [["echo", "ab cd ef", ""]]],
    ["echo 'two\nlines'", [["echo", "two\nlines"]]],
    ['echo "größe"', [["echo", "größe"]]],
    [
      "git log HEAD~1 HEAD^ a#b x=y --opt=v a:b,c @d %e +5",
      [["git", "log", "HEAD~1", "HEAD^", "a#b", "x=y", "--opt=v", "a:b,c", "@d", "%e", "+5"]],
    ],
    ["npm test > /dev/null 2>&1", [["npm", "test"]]],
    [
      "npm test 2>/dev/null | tail -n 5",
      [
        ["npm", "test"],
        ["tail", "-n", "5"],
      ],
    ],
    ["ls # a remark; touch x", [["ls"]]],
    ["# a remark\nls", [["ls"]]],
    ["test -f a", [["test", "-f", "a"]]],
  ])("%j", (text, calls) => {
    const reading = readCommand(text, grammar);
    expect(reading.unclear).toBeUndefined();
    expect(reading.calls?.map((call) => call.words)).toEqual(calls);
  });
});

describe("is unclear, and says why", () => {
  test.each<[string, RegExp]>([
    ["git status $(touch x)", /\$/],
    ["git status `touch x`", /backticks/],
    ['echo "$HOME"', /\$/],
    [`echo $\{x:-$(touch x)}`, /\$/],
    ["echo $'\\x41'", /\$/],
    ["X=1 ls", /sets a variable/],
    ['X="a b" ls', /sets a variable/],
    ["X+=1", /sets a variable/],
    ["ls > out", /goes into a file/],
    ["ls >> out", /goes into a file/],
    ["ls >| out", /goes into a file/],
    ["ls 2>out", /goes into a file/],
    ["ls >/dev/null>out", /goes into a file/],
    ["ls >/dev/nullx", /goes into a file/],
    ["ls 2>&1x", /goes into a file/],
    ["ls &>out", /background/],
    ["cat < in", /input comes/],
    ["cat <<X\na\nX", /input comes/],
    ["cat <<< a", /input comes/],
    ["ls <(touch x)", /input comes/],
    ["ls & touch x", /background/],
    ["ls |& cat", /whole command|\|/],
    ["(ls)", /parenthesis/],
    ["{ ls; }", /brace/],
    ["echo {a,b}", /brace/],
    ["ls *.ts", /\*/],
    ["ls a?", /\?/],
    ["ls [ab]", /\[/],
    ["ls ~/x", /~/],
    ["ls a:~", /~/],
    ["\\ls", /backslash/],
    ["ls \\\n-l", /backslash/],
    ["! ls", /!/],
    ["if ls; then pwd; fi", /syntax/],
    ["for i in 1; do ls; done", /syntax/],
    ["while true; do ls; done", /syntax/],
    ["case x in x) ls;; esac", /parenthesis|syntax/],
    ["f() { ls; }", /parenthesis/],
    ["time ls", /"time"/],
    ["coproc ls", /"coproc"/],
    ["%1", /"%1"/],
    ["cd sub", /"cd"/],
    ["eval ls", /"eval"/],
    ["exec ls", /"exec"/],
    ["source x", /"source"/],
    [". x", /"\."/],
    ["alias ls=rm", /"alias"/],
    ["trap ls EXIT", /"trap"/],
    ["hash -p /x ls", /"hash"/],
    ["printf -v x a", /printf sets/],
    ["printf '%n' 'a[0]'", /printf sets/],
    ["test -v 'a[0]'", /variable/],
    ["echo 'a", /not closed/],
    ['echo "a', /not closed/],
    ["", /whole command/],
    ["ls &&", /whole command/],
    ["| ls", /whole command/],
    ["ls ;; pwd", /whole command|;/],
    ["ls &&& pwd", /whole command/],
    ["ls\tpwd", /tab/],
    ["größe", /not an ASCII character/],
    ["gіt status", /U\+0456/],
    ["git\u00a0status", /U\+00A0 \(no-break space\)/],
    ["ls \u202e#", /right-to-left override/],
    ["touch x #\rls", /carriage return/],
    ["ls \u{e0041}", /tag character/],
    ["ls 'a\u200bb'", /zero-width space/],
    [`echo ${"a".repeat(5000)}`, /4096/],
  ])("%j", (text, reason) => {
    const reading = readCommand(text, grammar);
    expect(reading.calls).toBeUndefined();
    expect(reading.unclear).toMatch(reason);
  });
});

test.each<[string, string[]]>([
  ["\\rm -rf keep", ["rm", "-rf", "keep"]],
  ["echo $(rm x)", ["rm", "x"]],
  ["if true; then rm x; fi", ["rm", "x"]],
  ["f() { rm x; }; f", ["rm", "x"]],
  ["X=1 rm x", ["rm", "x"]],
  ["cat <<X\n$(rm x)\nX", ["rm", "x"]],
  ["$'\\x72m' x", ["rm", "x"]],
  ['"r"m x', ["rm", "x"]],
])("finds the call in the unclear %j", (text, words) => {
  expect(readCommand(text, grammar).found).toContainEqual(words);
});

test.each<[string, string[]]>([
  ["cat < 'a b'", ["a b"]],
  ["cat<in >out", ["in"]],
  ["x 3<in <>both", ["in", "both"]],
  ["echo $(<in)", ["in"]],
  ["while read l; do x; done < in", ["in"]],
  ["cat <<X\nY\nX", []],
  ["cat <<< text", []],
  ["cat <&3", []],
  ["diff <(cat a) b", []],
])("names what the redirections of %j read", (text, files) => {
  expect(readCommand(text, grammar).readsFrom).toEqual(files);
});

test.each<[string, string[]]>([
  ["ls > out", ["out"]],
  ["ls 2>> 'a b' >/dev/null", ["a b", "/dev/null"]],
  ["ls &> out", ["out"]],
  ["ls 2>&1", []],
])("names what the redirections of %j write", (text, files) => {
  expect(readCommand(text, grammar).writesTo).toEqual(files);
});

test("nothing is certain without the grammar", () => {
  const reading = readCommand("ls", { ok: false, problem: "no such file" });
  expect(reading.calls).toBeUndefined();
  expect(reading.unclear).toContain("no such file");
});

test.each([
  ["x ", 15_000],
  ["a;", 15_000],
  ["(", 5_000],
  ["$(", 5_000],
  ["'\"", 8_000],
])("a long command is read in linear time: %s", async (part, count) => {
  expect(readCommand(part.repeat(count), grammar).calls).toBeUndefined();
  const read = (times: number) => () => readCommand(part.repeat(times), grammar);
  expect(await growth(read(count / 8), read(count), 24)).toBeLessThan(24);
});

test.each<[string, string[]]>([
  ["a && b || c; d | e & f", ["a", "b", "c", "d", "e", "f"]],
  ["if true; then rm x; fi", ["true", "rm x"]],
  ["echo $(rm x) `ls`", ["echo $(rm x) `ls`", "rm x", "ls"]],
  ["cat <<'EOF'\nshutdown now\nEOF\nls", ["cat", "ls"]],
  ["[ -f .env ]", ["[ -f .env ]"]],
  // The grammar cannot make out all of these.
  ["rm x ( ; ls", ["rm x", "ls"]],
  [`git status \${x:=\`rm x\`}`, [`git status \${x:=\`rm x\`}`, "rm x"]],
  ["echo 'a; rm x", ["rm x"]],
  ["ls\n\\rm x", ["ls", "rm x"]],
  ["ls a\n\\\nrm x", ["ls a", "rm x"]],
  ["r\\\nm x", ["rm x"]],
  ['"r\\\nm" x', ["rm x"]],
  [`x='$(rm x)'; echo \${x@P}`, ["rm x"]],
  // The grammar gives words after a redirection to the redirection.
  ["rm 2>err -f x", ["rm -f x"]],
  [">a >b rm x >c y", ["rm x y"]],
  ["rm <<E x y\nE", ["rm x y"]],
  ["a && rm >&- x", ["a", "rm x"]],
])("finds the calls of %j", (text, calls) => {
  const found = readCommand(text, grammar).found.map((words) => words.join(" "));
  expect(found).toEqual(expect.arrayContaining(calls));
});

test("names the files that output goes to", () => {
  expect(readCommand("echo x >> /dev/sda 2> err", grammar).writesTo).toEqual(["/dev/sda", "err"]);
  expect(readCommand("cat 0<>both", grammar)).toMatchObject({ writesTo: ["both"], readsFrom: ["both"] });
});
