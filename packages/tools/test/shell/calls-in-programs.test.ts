/**
 * A rule that denies a program applies wherever a command starts the program, even in the text of another program,
 * and nowhere else.
 */
import type { PolicyRule } from "@localharness/engine";
import { expect, test } from "vitest";
import { decidedBy, prepared } from "./examined.ts";

const rule: PolicyRule = { id: "rm", decision: "deny", justification: "no", command: ["rm", "*"] };

test.each([
  ...[
    "awk 'BEGIN{system(\"rm a\")}'",
    "awk 'BEGIN{\"rm a\"|getline}'",
    "sed '1e rm a' x",
    "sed 's/x/rm a/e' x",
  ],
  ...["perl -e 'system(\"rm a\")'", "perl -e '`rm a`'", "python3 -c \"import os;os.system('rm a')\""],
  ...["node -e 'f(\"rm a\")'", "python3 -c \"run(['rm', 'a'])\"", "lua -e 'os.execute(\"cd x; rm a\")'"],
  ...["vim -c '!rm a' -c q", "vim -es -c ':!rm a'", "less +'!rm a' x", "gdb -ex 'shell rm a' -batch"],
  ...["expect -c 'spawn rm a'", "make SHELL='rm a'", "ssh -o ProxyCommand='rm a' h", "socat EXEC:'rm a' -"],
  ...[
    "nc -e 'rm a' h 1",
    "tmux new -d 'rm a'",
    "env - rm a",
    "faketime 1 rm a",
    "gosu u rm a",
    "tini -- rm a",
  ],
  ...[
    "nc -e'rm a' h 1",
    "ncat --sh-exec='rm a' h",
    "vim -c'!rm a'",
    "vim --cmd='!rm a'",
    "expect -c'spawn rm a'",
  ],
  ...[
    "ssh -oProxyCommand='rm a' h",
    "ssh -o 'ProxyCommand rm a' h",
    "gdb -ex='shell rm a'",
    "socat -dEXEC:'rm a' -",
  ],
  ...["gdb --eval-command='shell rm a'", "make -ESHELL='rm a'", "make --eval=SHELL=rm"],
  ...["sed -e's/x/rm a/e' x", "sed -ne's/x/rm a/e' x", "sed --expression='s/x/rm a/e' x", "sed '-ee rm a' x"],
  ...["/lib64/ld-linux-x86-64.so.2 /bin/rm a", "RM a", "/bin/rm.exe a", "r''m a", "$'\\162m' a"],
])("denies %s", async (command) => {
  expect(await decidedBy(rule, await prepared(), command)).toBe("deny");
});

test.each([
  "$(echo rm) a",
  "X=rm; $X a",
  "echo rm a | bash /dev/stdin",
  "/bin/r? a",
  "rm$IFS-rf$IFS.",
  "{rm,a}",
])("asks about %s", async (command) => {
  expect(await decidedBy(rule, await prepared(), command)).not.toBe("allow");
});

test.each([
  ...[
    "node -e 'console.log(1)'",
    "python3 -c 'print(\"no rm here\")'",
    "sed 's/a/b/2' a.txt",
    "awk '{print $1}' a",
  ],
  ...[
    "git rm a.txt",
    "docker rm x",
    "npm rm x",
    "perl -ne 'print if /rm/' a.txt",
    "vim a.txt",
    "make rm",
    "make -Crm",
    "rmdir x",
  ],
])("is no matter of %s", async (command) => {
  expect(await decidedBy(rule, await prepared(), command)).toBe("allow");
});
