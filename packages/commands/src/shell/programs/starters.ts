/** Programs that start another program: as another user, with limits, once for each line of input, or on another machine. */
import { optionValues } from "../option-files.ts";
import type { Program, ProgramRows } from "./program.ts";
import { everyWord } from "./run-files.ts";
import { namedBy } from "./written.ts";

const composeFiles =
  "docker-compose.yml docker-compose.yaml docker-compose.override.yml docker-compose.override.yaml compose.yml compose.yaml compose.override.yml compose.override.yaml";
export const startsOutside = "starts what runs outside of the sandbox";
const containers = [[/^/, startsOutside]] as const;
const starts: Program = { starts: {} };
const afterOne: Program = { starts: { skipped: 1 } };

export const starters: ProgramRows = {
  sudo: {
    surroundings: true,
    starts: {
      valued:
        "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --chroot --close-from --role --type",
    },
    changesFolder: (args) => optionValues(args, /^(?:-D|--chdir)(?:=(.*))?$/s).at(-1),
  },
  doas: { surroundings: true, starts: { valued: "-u -C" } },
  pkexec: { surroundings: true, starts: { valued: "--user" } },
  run0: { surroundings: true, starts: { valued: "-u -g --user --group --unit --property --slice --setenv" } },
  "su runuser": {
    surroundings: true,
    starts: { valued: "-u -g -G -s -w", text: "-c --command --session-command" },
  },
  env: {
    surroundings: true,
    starts: { flags: "-i -0 -v", valued: "-u -C --unset --chdir", text: "-S --split-string" },
    changesFolder: (args) => optionValues(args, /^(?:-C|--chdir)(?:=(.*))?$/s).at(-1),
  },
  "nohup setsid firejail fakechroot bwrap": { surroundings: true, starts: {} },
  nice: { surroundings: true, starts: { valued: "-n --adjustment" } },
  chroot: { surroundings: true, starts: { valued: "--userspec --groups", skipped: 1 } },
  unshare: { surroundings: true, starts: { valued: "-S -G -R -w --root --wd" } },
  nsenter: { surroundings: true, starts: { valued: "-t --target" } },
  ionice: { starts: { valued: "-c -n -p --class --classdata" } },
  chrt: { starts: { valued: "-T -P -D", skipped: 1 } },
  "taskset setarch faketime gosu su-exec s6-setuidgid perf": afterOne,
  "timeout gtimeout": {
    starts: {
      flags: "-v --foreground --preserve-status --verbose",
      valued: "-k -s --kill-after --signal",
      skipped: 1,
    },
  },
  time: {
    starts: { flags: "-p -v -a --portability --verbose --append", valued: "-f -o --format --output" },
    writes: namedBy(/^-[pv]*o(.+)?$/s),
  },
  stdbuf: { starts: { valued: "-i -o -e --input --output --error" } },
  "unbuffer linux32 linux64 prlimit tini dumb-init valgrind entr rlwrap systemd-inhibit dbus-run-session torsocks torify tsocks ld-linux":
    starts,
  "busybox toybox": { ...starts, risk: "interpreter" },
  "systemd-run": {
    surroundings: true,
    starts: { valued: "-u -p -t --unit --property --slice --uid --gid --working-directory", apart: true },
  },
  setpriv: { starts: { valued: "--reuid --regid --groups" } },
  strace: { starts: { valued: "-e -o -p -s -u -a -E -O -S -P" }, writes: namedBy(/^-[a-zA-Z]*o(.+)?$/s) },
  ltrace: { starts: { valued: "-e -o -p -s -u -n" } },
  watch: { starts: { valued: "-n --interval -d", joined: true } },
  script: { starts: { text: "-c --command" }, writes: "operands" },
  flock: { starts: { valued: "-w -E --timeout", skipped: 1, text: "-c --command" } },
  xargs: {
    feeds: "marks",
    starts: {
      flags: "-0 -r -t -x -p -o -e -i -l --null --no-run-if-empty --verbose --exit --interactive --open-tty",
      valued: "-I -L -n -P -s -d -E -a --max-args --max-procs --arg-file --delimiter --replace --max-lines",
    },
  },
  parallel: { feeds: "sources", starts: { flags: "-k -q -u -0", valued: "-j --jobs -a -I", joined: true } },
  caffeinate: { starts: { valued: "-t -w" } },
  "xvfb-run": { starts: { valued: "-e -f -n -p -s --server-args --server-num" } },
  numactl: { starts: { valued: "-N -m -C -i" } },
  cpulimit: { starts: { valued: "-l -p -e" } },
  cgexec: { starts: { valued: "-g" } },
  fakeroot: { starts: { valued: "-l -s -i" } },
  proot: { surroundings: true, starts: { valued: "-r -b -w" } },
  chpst: { starts: { valued: "-u -U -b -e -d -o" } },
  sshpass: { starts: { valued: "-p -f -d -e" } },
  hyperfine: { starts: { joined: true } },
  watchexec: { starts: { valued: "-w -e -f -i -d" } },
  "proxychains proxychains4": { starts: { valued: "-f" } },
  sg: { starts: { text: "-c", skipped: 1 } },
  man: { risk: "others", starts: { text: "-P -H --pager", optionsOnly: true } },
  "rbenv asdf direnv mise pyenv": { starts: { after: "exec" } },
  conda: { starts: { after: "run" }, offline: { CONDA_REMOTE_MAX_RETRIES: "0" } },
  "at batch crontab open xdg-open": { risk: "others", runs: everyWord, network: containers },
  "pager xterm": { risk: "others" },
  kubectl: { risk: "others", network: [[/^/, "talks to a server"]] },
  "less more screen tmux": { risk: "others", speaks: true },
  docker: { risk: "others", files: `Dockerfile ${composeFiles}`, network: containers },
  podman: { risk: "others", files: `Dockerfile Containerfile ${composeFiles}`, network: containers },
  "docker-compose": { files: composeFiles, network: containers },
};
