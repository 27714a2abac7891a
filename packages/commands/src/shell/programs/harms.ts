/** Recognises calls that destroy the system or a disk, or that stop the computer or all processes, for rows of the table. */
import { wordsPattern } from "@localharness/workspace/patterns";
import type { Words } from "./program.ts";

const wholeSystem = wordsPattern(
  "^",
  String.raw`\/ ~ \$HOME \$\{HOME\} \/bin \/boot \/dev \/etc \/home \/lib \/lib64 \/opt \/proc \/root \/sbin \/srv \/sys
    \/usr \/var \/Users \/System \/Library \/Applications`,
  String.raw`?\/*(?:\.?\*)?$`,
);
const disk = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-)/;

type Harm = (args: Words) => string | undefined;

const harm =
  (reason: string, matches: (args: Words) => boolean): Harm =>
  (args) =>
    matches(args) ? reason : undefined;
const deletes = "it deletes the system or the whole home folder";
const overwrites = "it writes over a disk";
const switchesOff = "it switches the computer off";

export const harms = {
  deletes: harm(deletes, touchesSystem),
  findDeletes: harm(
    deletes,
    (args) => (args.includes("-delete") || args.includes("rm")) && args.some(isWholeSystem),
  ),
  changes: harm("it changes owner or permissions of the whole system", touchesSystem),
  moves: harm("it moves the whole system or home folder away", (args) =>
    args.slice(0, -1).some(isWholeSystem),
  ),
  formats: harm("it formats or wipes a disk", (args) => args.some((word) => word.startsWith("/dev/"))),
  /** The harm for files that redirections or operands name. */
  overwrites: harm(overwrites, (args) => args.some((word) => disk.test(word))),
  copiesOver: harm(overwrites, (args) =>
    args.some((word) => word.startsWith("of=") && disk.test(word.slice(3))),
  ),
  switchesOff: harm(switchesOff, () => true),
  changesRunlevel: harm(switchesOff, ([level = ""]) => /^[06]$/.test(level)),
  endsSystem: harm(switchesOff, (args) => args.some((word) => /^(?:poweroff|reboot|halt|kexec)$/.test(word))),
  endsAll: harm("it ends every process", (args) => args.slice(1).includes("-1")),
} as const;

function touchesSystem(args: Words): boolean {
  const recursive = /^(?:--recursive|--no-preserve-root)$|^-[a-zA-Z]*[rR]/;
  return args.some((word) => recursive.test(word)) && args.some(isWholeSystem);
}

function isWholeSystem(word: string): boolean {
  return word !== "" && word !== "*" && word !== ".*" && wholeSystem.test(word);
}
