import { describe, expect, test } from "vitest";
import { looksSecret, withoutPasswords } from "../../../src/sandbox/home/looks-secret.ts";

describe("settings of tools", () => {
  test.each([
    "[global]\nindex-url = https://me:s3cret@pypi.example/simple\n",
    "[registries.house]\ntoken = 'x'\n",
    "systemProp.http.proxyPassword=x\n",
    "npmAuthToken: x\n",
    "user = me:x\npassword=y\n",
    "_auth=QWxhZGRpbg==\n",
    "export API_KEY=x\n",
    "header = 'Authorization: Basic eA=='\n",
    "user = me:x\n",
    '-s\n--proxy-user "me:x"\n',
    "-ume:x\n",
    "cert = client.pem:x\n",
    "storePass=x\n",
    "signing.keyPassphrase=x\n",
  ])("%j may have a password", (text) => expect(looksSecret(text)).toBe(true));

  test.each([
    "[build]\ntarget-dir = 'out'\n[net]\noffline = true\n",
    "org.gradle.daemon=false\n# the author's choice\n",
    "[global]\nindex-url = https://pypi.example/simple\n",
    "GOFLAGS=-mod=mod\nGOPROXY=https://proxy.example,direct\n",
    'user-agent = "curl: mine"\n-U\nftp-passive\ncacert = /etc/ca.pem\n',
  ])("%j has none", (text) => expect(looksSecret(text)).toBe(false));
});

describe("settings of git", () => {
  test("without a password are left as they are, with helpers that know passwords", () => {
    const text =
      '[user]\n\tname = "A"\n[credential]\n\thelper = store\n[credential "https://h"]\n\thelper = cache\n';
    expect(withoutPasswords(Buffer.from(text))).toBeUndefined();
  });

  test("with passwords keep everything else, as git reads it", () => {
    const text = [
      '[user]\n\tname = A "B" C\n\temail = a@b.c ; mine\n',
      '[url "https://me:s3cret@h/"]\n\tinsteadOf = https://h/\n',
      '[http "https://h"]\n\textraHeader = Authorization: Basic s3cret\n',
      "[github]\n\ttoken = s3cret\n",
      '[remote "o"]\n\turl = https://oauth2:s3cret@h/x.git\n',
      "[sendemail]\n\tsmtpPass = s3cret\n[imap]\n\tpass = s3cret\n",
      "[core]\n\tsshCommand = sshpass -p s3cret ssh\n",
      '[alias]\n\tup = "!curl -H \\"Authorization: Bearer s3cret\\" h"\n',
      '[alias]\n\tst = !git status\\t-s\n[branch "a.b"]\n\tremote = o\n',
    ].join("");
    const kept = withoutPasswords(Buffer.from(text)) ?? "";
    expect(kept).not.toContain("s3cret");
    expect(kept).toBe(
      [
        '[user]\n\tname = "A B C"\n',
        '[user]\n\temail = "a@b.c"\n',
        '[alias]\n\tst = "!git status\t-s"\n',
        '[branch "a.b"]\n\tremote = "o"\n',
      ].join(""),
    );
  });

  test("that git would refuse are empty", () => expect(withoutPasswords(Buffer.from("[x\n"))).toBe(""));
});
