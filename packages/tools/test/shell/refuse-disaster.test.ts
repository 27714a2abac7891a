import { loadGrammar } from "@localharness/commands/shell/grammar";
import { createReader } from "@localharness/commands/shell/reader";
import { refuseDisaster } from "@localharness/commands/shell/refuse-disaster";
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";

const grammar = await loadGrammar();
const refused = (command: string) => refuseDisaster(command, createReader(grammar));

test.each([
  "rm -rf /",
  "rm -rf /*",
  "sudo rm -fr --no-preserve-root /",
  "cd /tmp && rm -r -f ~",
  'rm -rf "$HOME"',
  "rm -rf $HOME/*",
  "rm -rf /etc/",
  "/bin/rm -Rf /usr",
  "bash -c 'rm -rf /'",
  'eval "rm -rf /"',
  "echo $(rm -rf /)",
  "find / -name x -delete",
  "chmod -R 777 /",
  "sudo chown -R me /usr",
  "mv / /tmp/x",
  "mkfs.ext4 /dev/sda1",
  "wipefs -a /dev/nvme0n1",
  "dd if=/dev/zero of=/dev/sda bs=1M",
  "cat image > /dev/sdb",
  "shutdown -h now",
  "sleep 1; reboot",
  "systemctl poweroff",
  "init 0",
  "kill -9 -1",
  ":(){ :|:& };:",
  "bomb() { bomb | bomb & }; bomb",
  "function bomb { bomb | bomb & }; bomb",
  "bash -c ':(){ :|:& };:'",
  ...[
    "bash -lc 'rm -rf /'",
    "X=1 rm -rf /",
    "timeout 5 rm -rf /",
    "find . -exec rm -rf / ';'",
    "ls | xargs rm -rf /",
  ],
  ...['echo "rm -rf /" | bash -o pipefail', 'bash -co pipefail "rm -rf /"', "strace -I 1 -X raw rm -rf /"],
  ...["bash -posix -c 'rm -rf /'", "bash -noprofile -c 'rm -rf /'", "sh -norc -c 'rm -rf /'"],
  ...["zsh -opipefail -c 'rm -rf /'", "zsh -O -c 'rm -rf /'", "ksh -oerrexit -c 'rm -rf /'"],
  ...["fish -c'rm -rf /'", "fish -creboot", "parallel ::: 'rm -rf /'", "parallel sh -c ::: 'rm -rf /'"],
  ...["echo 'rm -rf /' | xargs -0 sh -c", "echo 'rm -rf /' | xargs -0 timeout 5 bash -ec"],
  ...[
    "if true; then rm -rf /; fi",
    "rm -rf / (",
    "git bisect run rm -rf /",
    "tee /dev/sda",
    "mkfs.xfs /dev/sdb",
  ],
])("refuses %j", (command) => {
  expect(refused(command)).toMatch(/^it /);
});

test.each([
  "rm -rf node_modules dist",
  "rm -rf ./*",
  "rm -rf /tmp/build",
  "rm -rf ~/project/dist",
  "rm file",
  "echo ':(){ :|:& };:'",
  "rm /etc/hosts.bak",
  "find . -name '*.o' -delete",
  "chmod -R u+w .",
  "chmod 755 /usr/local/bin/x",
  "mv a b",
  "dd if=a of=b",
  "make > /dev/null 2>&1",
  "echo 'rm -rf /'",
  "grep -r shutdown .",
  'git commit -m "reboot; shutdown"',
  "kill -9 1234",
  "npm test",
  "cat <<EOF > notes\nrm -rf /\nEOF",
])("lets %j pass", (command) => {
  expect(refused(command)).toBeUndefined();
});

// 30,000 characters are the most that a command may have.
test.each(["x", "a(", "a ", "{ ", "; ", "`", "$("])(
  "looks at a long command in linear time: %s",
  async (part) => {
    const count = Math.floor(29_900 / part.length);
    const look = (times: number) => () => expect(refused(`echo ${part.repeat(times)}`)).toBeUndefined();
    expect(await growth(look(count / 8), look(count), 24)).toBeLessThan(24);
  },
);
