/** Programs that make, change, copy, pack and remove files, and programs that administer the machine. */
import { harms } from "./harms.ts";
import type { Program, ProgramRows, Words, WriteCall, WrittenWord } from "./program.ts";
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
  "sponge patch dos2unix unix2dos": { writes: "operands" },
  mktemp: { writes: "operands", writesBy: /^-p$/ },
  cp: { ...copies, keeps: has(/^-[a-zA-Z]*n|^--no-clobber$/), harm: harms.overwrites },
  install: copies,
  ln: { ...copies, keeps: (args) => !has(/^-[a-zA-Z]*f|^--f/)(args) },
  "link xxd objcopy cpio pax ditto convert magick ffmpeg": { writes: "last" },
  mv: { writes: moved, outputOption: true, harm: harms.moves },
  dd: { writes: copiedTo, harm: harms.copiesOver },
  tar: {
    risk: "others",
    outputOption: true,
    writes: tarWrites,
    starts: {
      text: "-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command",
      optionsOnly: true,
    },
  },
  // The operands of `unzip` name the written files, because unpacked files keep their names.
  zip: { risk: "others", writes: (_, { operands }) => operands.slice(0, 1).map(withAllBelow) },
  unzip: { risk: "others", writes: "operands", outputOption: true },
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
  if (!/^-?[a-zA-Z]*[cru]/.test(args[0] ?? "")) return operands.map(withAllBelow);
  const file = args.findIndex(
    (word, index) => /^-[a-zA-Z]*f$/.test(word) || (index === 0 && /^[a-zA-Z]*f$/.test(word)),
  );
  return file === -1 ? [] : [asWritten(args[file + 1] ?? "")];
}

function withAllBelow(word: string): WrittenWord {
  return { word, below: true };
}
