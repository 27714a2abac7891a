import { expect, test } from "vitest";
import { loadGrammar } from "../../src/shell/grammar.ts";
import { refuseDisaster } from "../../src/shell/refuse-disaster.ts";

const grammar = await loadGrammar();

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
  ...[
    "bash -lc 'rm -rf /'",
    "X=1 rm -rf /",
    "timeout 5 rm -rf /",
    "find . -exec rm -rf / ';'",
    "ls | xargs rm -rf /",
  ],
  ...[
    "if true; then rm -rf /; fi",
    "rm -rf / (",
    "git bisect run rm -rf /",
    "tee /dev/sda",
    "mkfs.xfs /dev/sdb",
  ],
])("refuses %j", (command) => {
  expect(refuseDisaster(command, grammar)).toMatch(/^it /);
});

test.each([
  "rm -rf node_modules dist",
  "rm -rf ./*",
  "rm -rf /tmp/build",
  "rm -rf ~/project/dist",
  "rm file",
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
  expect(refuseDisaster(command, grammar)).toBeUndefined();
});

// 30,000 characters are the most that a command may have.
const longest = 29_900;
test.each(["x", "a(", "a ", "{ ", "; ", "`", "$("].map((part) => part.repeat(longest / part.length)))(
  "looks at a long command in linear time: %.8s",
  (text) => {
    const started = process.threadCpuUsage();
    expect(refuseDisaster(`echo ${text}`, grammar)).toBeUndefined();
    // Time of this thread, so that what else runs on the machine does not count.
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(1500);
  },
);
