/** Checks what the page reads: pairing links, the name of the browser. */
import { expect, test } from "vitest";
import { clientNameOf } from "../../src/connection/client-name.ts";
import { codeIn, codeOf } from "../../src/connection/pairing-code.ts";

test.each([
  ["#pair=Ab-_9", "Ab-_9"],
  ["#pair=", undefined],
  ["#pair=a b", undefined],
  ["#other", undefined],
  [`#pair=${"a".repeat(101)}`, undefined],
])("the fragment %j has the code %j", (fragment, code) => {
  expect(codeOf(fragment)).toBe(code);
});

test.each([
  [" Ab-_9 ", { ok: true, code: "Ab-_9" }],
  ["http://127.0.0.1:4096/#pair=Ab-_9\n", { ok: true, code: "Ab-_9" }],
  ["http://127.0.0.1:4096/", { ok: false, message: "expected a link with #pair= and a code" }],
  [
    "http://127.0.0.1:4097/#pair=Ab",
    {
      ok: false,
      message: "this link is for http://127.0.0.1:4097: open it there. Nothing was sent from here",
    },
  ],
])("the pasted text %j is read as %j", (typed, read) => {
  expect(codeIn(typed, "http://127.0.0.1:4096")).toEqual(read);
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 (KHTML) Version/26 Safari/605",
    "Safari on macOS",
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26 Mobile Safari/604", "Safari on iPhone"],
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/150 Safari/537 Edg/150", "Edge on Windows"],
  ["Mozilla/5.0 (Linux; Android 16) Chrome/150 Mobile Safari/537", "Chrome on Android"],
  ["curl", "a browser on an unknown system"],
])("%s is %s", (userAgent, name) => {
  expect(clientNameOf(userAgent)).toBe(name);
});
