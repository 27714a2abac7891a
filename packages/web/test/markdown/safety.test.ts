/** Checks that text of models stays text: links, images, hidden characters. */
import { expect, test } from "vitest";
import { safeLink } from "../../src/markdown/safe-link.ts";
import { decodedText, shownOutput, shownText } from "../../src/markdown/shown-text.ts";

test.each([
  ["https://example.org/a?b#c", "https://example.org/a?b#c"],
  ["http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"],
  ["mailto:a@example.org", "mailto:a@example.org"],
  ["HTTPS://EXAMPLE.org", "https://example.org/"],
  ["javascript:alert(1)", undefined],
  ["JavaScript:alert(1)", undefined],
  ["java\nscript:alert(1)", undefined],
  ["data:text/html,<script>1</script>", undefined],
  ["vbscript:x", undefined],
  ["file:///etc/passwd", undefined],
  ["blob:https://example.org/1", undefined],
  ["/api/hub", undefined],
  ["//evil.example", undefined],
  ["https://bank.example@evil.example/", undefined],
  ["https://a:b@evil.example/", undefined],
  ["", undefined],
])("the address %j becomes the link %j", (address, link) => {
  expect(safeLink(address)).toBe(link);
});

test.each([
  ["plain text\n\tindented", "plain text\n\tindented"],
  ["a\u202eb", "a\\u202eb"],
  ["zero\u200bwidth", "zero\\u200bwidth"],
  ["bell\u0007", "bell\\x07"],
  ["\u001b[31mred\u001b[0m", "\\x1b[31mred\\x1b[0m"],
  ["line\r\nend", "line\nend"],
  ["tag\u{e0041}", "tag\\u{e0041}"],
  ["a👩‍💻b", "a👩‍💻b"],
])("%j is shown as %j", (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

test.each([
  ["a &amp; b &lt;i&gt;", "a & b <i>"],
  ["&#8238;abc", "\\u202eabc"],
  ["&#x202e;abc", "\\u202eabc"],
  ["&unknown; &#0; &#x110000;", "&unknown; &#0; &#x110000;"],
])("the references in %j are shown as %j", (text, shown) => {
  expect(decodedText(text)).toBe(shown);
});

test.each([
  ["\u001b[32mok\u001b[0m\n", "ok\n"],
  ["10 %\r50 %\rdone\n", "done\n"],
  ["\u001b]0;title\u0007x", "\\x1b]0;title\\x07x"],
])("the output %j is shown as %j", (text, shown) => {
  expect(shownOutput(text)).toBe(shown);
});
