/** Programs that connect to other machines. */
import type { Program, ProgramRows, Words, WrittenWord } from "./program.ts";
import { fetched } from "./written.ts";

const plainOption = String.raw`(?:-[sSifvkIN]+|--(?:silent|fail|include|show-error|head)|-X [A-Z]+|-[dHow] \S+)`;
/** Matches the arguments of a request to this machine alone: an address of the loopback, and options that name no other address. */
const toThisMachine = new RegExp(
  String.raw`^(?:${plainOption} )*(?:https?:\/\/)?(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/\S*)?(?: ${plainOption})*$`,
);
const reaches = [
  [toThisMachine, "reaches a server of this machine"],
  [/^/, "reaches another machine"],
] as const;
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
    starts: { text: "-e --rsh --rsync-path", optionsOnly: true },
  },
  "nc ncat socat": { risk: "others", network: reaches, speaks: true },
  openssl: { risk: "others", outputOption: true },
  curl: { ...fetches, writes: (args) => (named(args, /^-[a-zA-Z]*O|^--remote-name/) ? fetched(args) : []) },
  wget: { ...fetches, writes: wgetWrites },
};

function wgetWrites(args: Words): readonly WrittenWord[] {
  return named(args, /^-[a-zA-Z]*O|^--output-doc/) ? [] : fetched(args);
}

function named(args: Words, option: RegExp): boolean {
  return args.some((word) => option.test(word));
}
