import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { refuseDisaster } from "../../src/shell/refuse-disaster.ts";

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
])("refuses %j", (command) => {
  expect(refuseDisaster(command)).toMatch(/^it /);
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
  expect(refuseDisaster(command)).toBeUndefined();
});

test.each([
  ["x", 300_000],
  ["a(", 50_000],
  ["a ", 50_000],
  ["{ ", 50_000],
])("looks at a long command in linear time: %s", async (part, count) => {
  const look = (times: number) => () => expect(refuseDisaster(`echo ${part.repeat(times)}`)).toBeUndefined();
  expect(await growth(look(count / 8), look(count), 24)).toBeLessThan(24);
});
