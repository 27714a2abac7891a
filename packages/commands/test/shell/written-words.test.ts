import { expect, test } from "vitest";
import { writtenWords } from "../../src/shell/written-words.ts";

test.each<[string, string[]]>([
  ["tee -a a b", ["a", "b"]],
  ["touch a", ["a"]],
  ["cp -r a b c", ["c", "c/a", "c/b"]],
  ["cp -t d a", ["d", "a", "a/d", "d/a"]],
  ["mv a b", ["a", "b", "b/a"]],
  ["dd if=a of=b", ["b"]],
  ["sed -i s/a/b/ f", ["s/a/b/", "f"]],
  ["sed -n 1p f", []],
  ["xxd -l 20 f", []],
  ["xxd -r f out", ["out", "out/f"]],
  ["uniq -f 1 f", []],
  ["sort -o out f", ["out"]],
  ["curl -sLo out http://x", ["out"]],
  ["curl --output=out http://x", ["out"]],
  ["rm -rf a", ["a"]],
  ["/bin/rm a", ["a"]],
  ["cat a", []],
  ["echo a", []],
])("%s writes %j", (text, words) => {
  expect(writtenWords(text.split(" ")).map(({ word }) => word)).toEqual(words);
});
