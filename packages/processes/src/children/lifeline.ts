/**
 * Starts a small watcher process that waits for this process to end. If this process ends without dismissing the watcher
 * (killed, crashed, terminal lost), the watcher ends everything that was started from here.
 */
import type { ChildProcess } from "node:child_process";
import { markVariable } from "./process-tree.ts";
import type { Closing } from "./start-command.ts";

export interface Lifeline {
  /** Adds a process group that must end with this process. */
  add(group: number): void;
  remove(group: number): void;
  /** Dismisses the watcher without ending any process. */
  close(): void;
}

export interface LifelineOptions {
  /** Common prefix of the marks of all runs. */
  readonly markPrefix: string;
  readonly controlGroup: string | undefined;
  /** Shell text that closes the descriptors which the watcher must not keep open. */
  readonly closing: Closing;
}

/**
 * The script of the watcher. It reads "+ 12" and "- 12" for process groups, and "q" to be dismissed. At the end of input it
 * sends SIGTERM to the groups. Then it kills the processes that remain in these groups, in the control group, and with our mark
 * in their environment.
 */
const script = `
trap '' HUP INT TERM
mark=$1 cg=$2 groups=
while read -r what id; do
  case $what in
    +) groups="$groups $id" ;;
    -) left=; for g in $groups; do [ "$g" = "$id" ] || left="$left $g"; done; groups=$left ;;
    q) exit 0 ;;
  esac
done
for g in $groups; do kill -TERM -- "-$g"; done
sleep 0.3
for g in $groups; do kill -KILL -- "-$g"; done
[ -n "$cg" ] && echo 1 > "$cg/cgroup.kill"
for round in 1 2 3 4 5; do
  found=
  for f in $(grep -ls "$mark" /proc/[0-9]*/environ); do f=\${f%/environ}; kill -KILL "\${f#/proc/}" && found=1; done
  [ -n "$found" ] || break
  sleep 0.2
done
[ -n "$cg" ] && rmdir "$cg"/* "$cg"
exit 0
`;

/** Returns a lifeline. It starts the watcher when the first group is added, and does nothing on systems without `/bin/sh`. */
export function createLifeline(options: LifelineOptions): Lifeline {
  const groups = new Set<number>();
  let watcher: Promise<ChildProcess | undefined> | undefined;
  const send = async (line: string) => (await watcher)?.stdin?.write(`${line}\n`);
  const start = async () => {
    const child = await startWatcher(options);
    child?.once("exit", () => {
      watcher = undefined;
    });
    for (const group of groups) {
      child?.stdin?.write(`+ ${group}\n`);
    }
    return child;
  };
  return {
    add: (group) => {
      groups.add(group);
      if (watcher === undefined) {
        watcher = start();
      } else {
        void send(`+ ${group}`);
      }
    },
    remove: (group) => {
      groups.delete(group);
      void send(`- ${group}`);
    },
    close: () => {
      void send("q");
      watcher = undefined;
    },
  };
}

async function startWatcher(options: LifelineOptions): Promise<ChildProcess | undefined> {
  if (process.platform === "win32") return undefined;
  const { spawn } = await import("node:child_process");
  const mark = `${markVariable}=${options.markPrefix}-`;
  const child = spawn(
    options.closing.shell,
    ["-c", options.closing.text + script, "lifeline", mark, options.controlGroup ?? ""],
    {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  // The watcher must not keep this process alive.
  child.unref();
  if ("unref" in child.stdin && typeof child.stdin.unref === "function") {
    child.stdin.unref();
  }
  return child;
}
