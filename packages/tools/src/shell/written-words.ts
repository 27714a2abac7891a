/** Which words of a call name what it writes, for programs whose purpose that is. */
import { baseName } from "./wrappers.ts";

export interface WrittenWord {
  readonly word: string;
  /** With everything below it. */
  readonly below: boolean;
}

const everyOperand: ReadonlySet<string> = new Set(
  "tee touch mkdir rmdir rm unlink shred truncate chmod chown chgrp setfacl mkfifo mknod ed ex sponge script gzip gunzip bzip2 xz unxz patch".split(
    " ",
  ),
);
/** What they name last is written. */
export const lastOperand: ReadonlySet<string> = new Set("cp ln install rsync scp".split(" "));

/** Options of any of these programs that name the file or folder that is written. */
const outputOptions =
  /^(?:-o|-O|-t|-d|-C|-P|--output|--out|--output-file|--target-directory|--output-dir|--directory|-out)$/;
const outputAttached = /^(?:--output|--out|--output-file|--target-directory|--output-dir|--directory)=(.+)$/;
const haveOutputOption: ReadonlySet<string> = new Set(
  "cp mv ln install sort curl wget tar unzip openssl gcc cc clang split shuf iconv base64 go tsc esbuild pandoc".split(
    " ",
  ),
);

/** Programs take one; a few more do no harm. */
const mostTargets = 4;

export function writtenWords(words: readonly string[]): readonly WrittenWord[] {
  const [first = "", ...args] = words;
  const name = baseName(first);
  const operands = args.filter((word) => !word.startsWith("-"));
  const named = optionWords(name, args);
  const written: WrittenWord[] = named.map((word) => ({ word, below: false }));
  const deep = name === "rm" || args.some((word) => /^-[A-Za-z]*[rR]|^--recursive$/.test(word));
  if (everyOperand.has(name)) {
    written.push(...operands.map((word) => ({ word, below: deep })));
  } else if (name === "mv") {
    written.push(...operands.map((word) => ({ word, below: true })), ...intoFolders(operands, named));
  } else if (lastOperand.has(name) && operands.length > 1) {
    written.push({ word: operands.at(-1) ?? "", below: deep }, ...intoFolders(operands, named));
  } else if (name === "find" || name === "gfind") {
    const files = args.filter((_, index) => /^-f(?:print0?|printf|ls)$/.test(args[index - 1] ?? ""));
    written.push(...files.map((word) => ({ word, below: false })));
  } else if (name === "tar" && /^-?[a-zA-Z]*[cru]/.test(args[0] ?? "")) {
    const file = args.findIndex(
      (word, index) => /^-[a-zA-Z]*f$/.test(word) || (index === 0 && /^[a-zA-Z]*f$/.test(word)),
    );
    written.push({ word: file === -1 ? "" : (args[file + 1] ?? ""), below: false });
  } else if (name === "split" && operands.length > 1) {
    written.push({ word: operands.at(-1) ?? "", below: false });
  } else if (name === "dd") {
    written.push(
      ...args.filter((word) => word.startsWith("of=")).map((word) => ({ word: word.slice(3), below: false })),
    );
  } else if (
    /^(?:sed|gsed|perl|ruby)$/.test(name) &&
    args.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word))
  ) {
    written.push(...operands.map((word) => ({ word, below: false })));
  }
  return written.filter(({ word }) => word !== "" && word !== "-");
}

/** What is copied or moved into a folder keeps its name there. The folder is named last, or by an option. */
function intoFolders(operands: readonly string[], named: readonly string[]): readonly WrittenWord[] {
  return [operands.at(-1) ?? "", ...named.slice(0, mostTargets)].flatMap((target) =>
    operands
      .filter((word) => word !== target)
      .map((word) => ({ word: `${target}/${baseName(word.replace(/\/+$/, ""))}`, below: true })),
  );
}

function optionWords(name: string, args: readonly string[]): readonly string[] {
  if (!haveOutputOption.has(name)) {
    return [];
  }
  return args.flatMap((word, index) => {
    const attached = outputAttached.exec(word)?.[1];
    if (attached !== undefined) {
      return [attached];
    }
    const next = args[index + 1];
    if (outputOptions.test(word) || /^-[a-zA-Z]+[oOtdCP]$/.test(word)) {
      return next === undefined ? [] : [next];
    }
    // `-oFILE`, also behind other letters.
    const short = /^-[a-zA-Z]*?[oOtdCP]([^=].*)$/s.exec(word)?.[1];
    return short === undefined ? [] : [short];
  });
}
