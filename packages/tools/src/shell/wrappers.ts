/** Programs that start another one: which words of their call are the other call, and which are a command as text. */

import { gitStarts } from "./git-starts.ts";

export type Wrapped =
  | { readonly kind: "call"; readonly words: readonly string[] }
  | { readonly kind: "text"; readonly text: string };

interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued?: string;
  /** Words before the call that are neither options nor assignments, such as the duration of `timeout`. */
  readonly skipped?: number;
  /** Options whose value is a command as text. */
  readonly text?: string;
  /** The words of the call are joined and read by a shell. */
  readonly joined?: true;
  /** It starts what its options say, and its other words are none of that. */
  readonly optionsOnly?: true;
}

/** Options are written as they stand on the command line; a letter also counts at the end of a cluster. */
const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued:
      "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --chroot --close-from --role --type",
  },
  doas: { valued: "-u -C" },
  pkexec: { valued: "--user" },
  run0: { valued: "-u -g --user --group --unit --property --slice --setenv" },
  env: { valued: "-u -C --unset --chdir", text: "-S --split-string" },
  command: {},
  builtin: {},
  exec: { valued: "-a" },
  nohup: {},
  nice: { valued: "-n --adjustment" },
  ionice: { valued: "-c -n -p --class --classdata" },
  chrt: { valued: "-T -P -D", skipped: 1 },
  taskset: { skipped: 1 },
  timeout: { valued: "-k -s --kill-after --signal", skipped: 1 },
  gtimeout: { valued: "-k -s --kill-after --signal", skipped: 1 },
  time: { valued: "-f -o --format --output" },
  stdbuf: { valued: "-i -o -e --input --output --error" },
  unbuffer: {},
  setsid: {},
  setpriv: { valued: "--reuid --regid --groups" },
  chroot: { valued: "--userspec --groups", skipped: 1 },
  unshare: { valued: "-S -G -R -w --root --wd" },
  nsenter: { valued: "-t --target" },
  firejail: {},
  strace: { valued: "-e -o -p -s -u -a -E -O -S -P" },
  ltrace: { valued: "-e -o -p -s -u -n" },
  watch: { valued: "-n --interval -d", joined: true },
  script: { text: "-c --command" },
  su: { valued: "-s -g -G -w", text: "-c --command --session-command" },
  runuser: { valued: "-u -g -G -s -w", text: "-c --command --session-command" },
  flock: { valued: "-w -E --timeout", skipped: 1, text: "-c --command" },
  xargs: {
    valued: "-I -L -n -P -s -d -E -a --max-args --max-procs --arg-file --delimiter --replace --max-lines",
  },
  parallel: { valued: "-j --jobs -a -I", joined: true },
  ssh: { valued: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", skipped: 1, joined: true },
  busybox: {},
  toybox: {},
  npx: { valued: "-p --package", text: "-c --call" },
  bunx: {},
  pnpx: {},
  caffeinate: { valued: "-t -w" },
  eval: { joined: true },
  coproc: {},
  "systemd-run": { valued: "-u -p -t --unit --property --slice --uid --gid --working-directory" },
  "systemd-inhibit": {},
  "dbus-run-session": {},
  "xvfb-run": { valued: "-e -f -n -p -s --server-args --server-num" },
  setarch: { skipped: 1 },
  linux32: {},
  linux64: {},
  prlimit: {},
  numactl: { valued: "-N -m -C -i" },
  cpulimit: { valued: "-l -p -e" },
  cgexec: { valued: "-g" },
  fakeroot: { valued: "-l -s -i" },
  fakechroot: {},
  faketime: { skipped: 1 },
  proot: { valued: "-r -b -w" },
  tini: {},
  "dumb-init": {},
  gosu: { skipped: 1 },
  "su-exec": { skipped: 1 },
  "s6-setuidgid": { skipped: 1 },
  chpst: { valued: "-u -U -b -e -d -o" },
  sshpass: { valued: "-p -f -d -e" },
  bwrap: {},
  valgrind: {},
  perf: { skipped: 1 },
  hyperfine: { joined: true },
  entr: {},
  watchexec: { valued: "-w -e -f -i -d" },
  rlwrap: {},
  proxychains: { valued: "-f" },
  proxychains4: { valued: "-f" },
  torsocks: {},
  torify: {},
  tsocks: {},
  sg: { text: "-c", skipped: 1 },
  tar: {
    text: "-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command",
    optionsOnly: true,
  },
  rsync: { text: "-e --rsh --rsync-path", optionsOnly: true },
  scp: { text: "-S", optionsOnly: true },
  sftp: { text: "-S", optionsOnly: true },
  sort: { text: "--compress-program", optionsOnly: true },
  split: { text: "--filter", optionsOnly: true },
  rg: { text: "--pre --hostname-bin", optionsOnly: true },
  man: { text: "-P -H --pager", optionsOnly: true },
};

const shells: ReadonlySet<string> = new Set(
  "sh bash rbash zsh dash ksh rksh mksh lksh oksh ash posh yash csh tcsh fish elvish nu xonsh".split(" "),
);

/** Programs of which a word names the step that starts another one: `npm exec`, `uv run`. */
const runners: Readonly<Record<string, string>> = {
  npm: "exec x",
  pnpm: "exec dlx",
  yarn: "exec dlx",
  bun: "x",
  uv: "run",
  poetry: "run",
  pipenv: "run",
  hatch: "run",
  rye: "run",
  conda: "run",
  bundle: "exec",
  rbenv: "exec",
  pyenv: "exec",
  direnv: "exec",
  mise: "exec",
  asdf: "exec",
};

/** True for a program whose own answer must not last: it changes for whom or in what surroundings another one runs. */
export function changesSurroundings(name: string): boolean {
  return /^(?:sudo|doas|pkexec|run0|su|runuser|env|command|builtin|exec|nice|nohup|setsid|chroot|unshare|nsenter|ssh|eval|source|\.)$/.test(
    name,
  );
}

export function isShell(name: string): boolean {
  return shells.has(name);
}

/** The calls that a call starts, one level down. Where options are not known, more than one reading is given. */
export function lookThrough(words: readonly string[]): readonly Wrapped[] {
  const name = baseName(words[0] ?? "");
  const args = words.slice(1);
  if (isShell(name)) {
    const option = args.findIndex((word) => /^-\w*c\w*$/.test(word));
    const text = option === -1 ? undefined : args.slice(option + 1).find((word) => !/^[-+]/.test(word));
    return text === undefined ? [] : [{ kind: "text", text }];
  }
  if (name === "find" || name === "gfind" || name === "fd" || name === "fdfind") {
    return executedByFind(args);
  }
  if (name === "git") {
    return gitStarts(words).map((text) => ({ kind: "text", text }));
  }
  if (name === "trap") {
    return args
      .slice(args[0] === "--" ? 1 : 0, 2)
      .slice(0, 1)
      .map((text) => ({ kind: "text", text }));
  }
  if (name === "alias") {
    return args.flatMap(
      (word) =>
        /^[^=]+=(.+)$/s
          .exec(word)
          ?.slice(1)
          .map((text): Wrapped => ({ kind: "text", text })) ?? [],
    );
  }
  const step = runners[name]?.split(" ");
  if (step !== undefined) {
    const at = args.findIndex((word) => step.includes(word));
    return at === -1 ? [] : wrappedCalls({}, args.slice(at + 1));
  }
  // The system's own loader starts the program that it is given.
  const wrapper = name.startsWith("ld-linux")
    ? {}
    : Object.hasOwn(wrappers, name)
      ? wrappers[name]
      : undefined;
  return wrapper === undefined ? [] : wrappedCalls(wrapper, args);
}

function wrappedCalls(wrapper: Wrapper, args: readonly string[]): readonly Wrapped[] {
  const texts = optionTexts(wrapper.text?.split(" ") ?? [], args);
  const starts = wrapper.optionsOnly === true ? [] : callStarts(wrapper, args);
  const calls = starts
    .map((start) => args.slice(start))
    .filter((words) => words.length > 0)
    .map((words): Wrapped => {
      return wrapper.joined === true ? { kind: "text", text: words.join(" ") } : { kind: "call", words };
    });
  return [...texts, ...calls];
}

function optionTexts(options: readonly string[], args: readonly string[]): readonly Wrapped[] {
  return args.flatMap((word, index): readonly Wrapped[] => {
    const option = options.find((name) => word === name || endsCluster(word, name));
    const following = args[index + 1];
    if (option !== undefined && following !== undefined) {
      return [{ kind: "text", text: following }];
    }
    const attached = options.find((name) => word.startsWith(name.startsWith("--") ? `${name}=` : name));
    const rest =
      attached === undefined ? "" : word.slice(attached.length + (attached.startsWith("--") ? 1 : 0));
    // tar names the kind of what it does at a checkpoint.
    return rest === "" ? [] : [{ kind: "text", text: rest.replace(/^(?:exec|command)=/, "") }];
  });
}

/** Where the wrapped call may begin. After an option that is not known, the next word may be its value. */
function callStarts(wrapper: Wrapper, args: readonly string[]): readonly number[] {
  const valued = [...(wrapper.valued?.split(" ") ?? []), ...(wrapper.text?.split(" ") ?? [])];
  const starts: number[] = [];
  let toSkip = wrapper.skipped ?? 0;
  let index = 0;
  let doubtful = false;
  while (index < args.length) {
    const word = args[index] ?? "";
    if (word === "--" || word === "-") {
      index += 1;
    } else if (word.startsWith("-") && word.length > 1) {
      const takesNext = valued.some((name) => word === name || endsCluster(word, name));
      doubtful = !takesNext && !word.includes("=");
      index += takesNext ? 2 : 1;
    } else if (/^[A-Za-z_]\w*=/.test(word)) {
      index += 1;
    } else if (toSkip > 0) {
      toSkip -= 1;
      index += 1;
    } else {
      starts.push(index);
      if (!doubtful || starts.length > 1) {
        break;
      }
      index += 1;
    }
  }
  return starts;
}

/** `-xu` ends in the option `-u`. */
function endsCluster(word: string, option: string): boolean {
  return option.length === 2 && /^-[A-Za-z0-9]+$/.test(word) && word.endsWith(option[1] ?? "");
}

function executedByFind(args: readonly string[]): readonly Wrapped[] {
  const starts = args.flatMap((word, index) =>
    /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word) ? [index + 1] : [],
  );
  const calls = starts.map((start): Wrapped => {
    const rest = args.slice(start);
    const end = rest.findIndex((word) => word === ";" || word === "\\;" || word === "+");
    return { kind: "call", words: end === -1 ? rest : rest.slice(0, end) };
  });
  // `-delete` is what `rm` does, and rules about `rm` mean it too.
  const deletes: readonly Wrapped[] = args.includes("-delete")
    ? [{ kind: "call", words: ["rm", "-r", ...args] }]
    : [];
  return [...calls.filter((call) => call.kind === "text" || call.words.length > 0), ...deletes];
}

/** `rm` for `/bin/rm`. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
