/** Programs that connect to other machines. */
import { lostStored } from "../losing/unpacks.ts";
import type { Program, ProgramRows, Words, WrittenWord } from "./program.ts";
import { fetched } from "./written.ts";

export const reachesThisMachine = "reaches a server of this machine";

/** Returns the network effects: on this machine if the words are a loopback address and options, else on another machine. */
function reaching(option: string): NonNullable<Program["network"]> {
  const address = String.raw`(?:https?:\/\/)?(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/\S*)?`;
  return [
    [new RegExp(`^(?:${option} )*${address}(?: ${option})*$`), reachesThisMachine],
    [/^/, "reaches another machine"],
  ];
}

const curlOption = String.raw`(?:-[sSifvkINg]*(?:[sSifvkINg]|[dHowXm] \S+)|--(?:silent|fail|include|show-error|head|retry-connrefused)|--(?:header|data|data-raw|json|request|max-time|connect-timeout|retry|retry-delay|output|write-out) \S+)`;
const reaches = reaching("(?:-[a-z])");
const overSsh: Program = {
  risk: "others",
  network: reaches,
  starts: { text: "-S", optionsOnly: true },
  speaks: true,
};
const fetches: Program = {
  risk: "others",
  network: reaches,
  outputOption: true,
  writesBy: /^-[a-zA-Z]*[cDaP]$/,
};

export const network: ProgramRows = {
  ssh: {
    network: reaches,
    surroundings: true,
    speaks: true,
    starts: {
      valued: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
      skipped: 1,
      joined: true,
    },
  },
  rsh: { risk: "others", network: reaches },
  sftp: overSsh,
  scp: { ...overSsh, writes: "last" },
  rsync: {
    risk: "others",
    network: [[/(?:^| )\S*:/, "reaches another machine"]],
    writes: "last",
    loses: (args) => lostStored(args, /^--remove-(?:source|sent)-files$/),
    starts: { text: "-e --rsh --rsync-path", optionsOnly: true },
  },
  "nc ncat socat": { risk: "others", network: reaches, speaks: true },
  openssl: { risk: "others", outputOption: true },
  curl: {
    ...fetches,
    network: reaching(curlOption),
    writes: (args) => (named(args, /^-[a-zA-Z]*O|^--remote-name/) ? fetched(args) : []),
  },
  wget: { ...fetches, network: reaching("(?:-q?O ?-|-q)"), writes: wgetWrites },
};

function wgetWrites(args: Words): readonly WrittenWord[] {
  return named(args, /^-[a-zA-Z]*O|^--output-doc/) ? [] : fetched(args);
}

function named(args: Words, option: RegExp): boolean {
  return args.some((word) => option.test(word));
}
