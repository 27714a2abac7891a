/** Programs that make, change, copy, pack and remove files, and programs that administer the machine. */
import {
  changedArchives,
  keepsArchive,
  lostByCopies,
  lostByExtract,
  lostByPatch,
  lostByTar,
  lostByUnzip,
  lostStored,
} from "../losing/unpacks.ts";
import { harms } from "./harms.ts";
import type { Program, ProgramRows, Words, WriteCall, WrittenWord } from "./program.ts";
import { xxdLooks } from "./script-looks.ts";
import { asWritten, intoFolders } from "./written.ts";

const changes: Program = { writes: "operands", silent: true };
const changesMode: Program = { ...changes, keeps: true, harm: harms.changes };

const copies: Program = { writes: "last", outputOption: true, entersFolder: true };

export const fileTools: ProgramRows = {
  rm: { writes: "below", silent: true, harm: harms.deletes },
  "mkdir rmdir touch": { ...changes, keeps: true },
  "truncate unlink": changes,
  tee: { ...changes, keeps: has(/^-[a-z]*a|^--append$/), harm: harms.overwrites },
  shred: { ...changes, harm: harms.overwrites },
  "chmod chown chgrp": changesMode,
  "setfacl mkfifo mknod": { writes: "operands", keeps: true },
  "sponge dos2unix unix2dos": { writes: "operands" },
  patch: { writes: "operands", loses: lostByPatch },
  mktemp: { writes: "operands", writesBy: /^-p$/ },
  cp: { ...copies, keeps: has(/^-[a-zA-Z]*n|^--no-clobber$/), harm: harms.overwrites },
  install: copies,
  ln: { ...copies, keeps: (args) => !has(/^-[a-zA-Z]*f|^--f/)(args) },
  xxd: { writes: "last", looks: xxdLooks },
  "link objcopy ditto convert magick ffmpeg": { writes: "last" },
  "cpio pax": { writes: "last", loses: lostByCopies },
  mv: { writes: moved, outputOption: true, harm: harms.moves },
  dd: { writes: copiedTo, harm: harms.copiesOver },
  "tar bsdtar gtar": {
    risk: "others",
    outputOption: true,
    writes: tarWrites,
    keeps: keepsArchive,
    loses: lostByTar,
    starts: {
      text: "-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command",
      optionsOnly: true,
    },
  },
  zip: {
    risk: "others",
    loses: (args) => lostStored(args, /^(?:-[a-zA-Z]*m[a-zA-Z]*|--move)$/),
    writes: (_, { operands }) => operands.slice(0, 1).map(withAllBelow),
  },
  // The operands of `unzip` name the written files, because unpacked files keep their names.
  unzip: { risk: "others", writes: "operands", outputOption: true, keeps: true, loses: lostByUnzip },
  "7z 7za 7zz unrar": { risk: "others", loses: lostByExtract },
  "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd": { writes: "operands" },
  // Programs for disks and for the whole machine.
  "mkfs mkfs. mke2fs wipefs mkswap": { harm: harms.formats },
  blkdiscard: { harm: harms.overwrites },
  "shutdown reboot halt poweroff": { harm: harms.switchesOff },
  "init telinit": { harm: harms.changesRunlevel },
  systemctl: { harm: harms.endsSystem },
};

function has(option: RegExp): (args: Words) => boolean {
  return (args) => args.some((word) => option.test(word));
}

function moved(_: Words, { operands, named }: WriteCall): readonly WrittenWord[] {
  return [...operands.map((word) => ({ word, below: true })), ...intoFolders(operands, named)];
}

function copiedTo(args: Words): readonly WrittenWord[] {
  return args.filter((word) => word.startsWith("of=")).map((word) => ({ word: word.slice(3), below: false }));
}

function tarWrites(args: Words, { operands }: WriteCall): readonly WrittenWord[] {
  return keepsArchive(args) ? operands.map(withAllBelow) : changedArchives(args).map(asWritten);
}

function withAllBelow(word: string): WrittenWord {
  return { word, below: true };
}
