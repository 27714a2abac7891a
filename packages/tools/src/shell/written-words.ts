/** Which words of a call name what it writes, for programs whose purpose that is. */
import { protectedName } from "../workspace/protected.ts";
import { gitWrites } from "./git-writes.ts";
import { looksOnly } from "./read-only-programs.ts";
import { baseName } from "./wrappers.ts";

export interface WrittenWord {
  readonly word: string;
  /** With everything below it. */
  readonly below: boolean;
}

const everyOperand: ReadonlySet<string> = new Set(
  "tee touch mkdir rmdir rm unlink shred truncate chmod chown chgrp setfacl mkfifo mknod ed ex sponge script gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd unzip patch vi vim nvim nano pico micro joe emacs mktemp dos2unix unix2dos".split(
    " ",
  ),
);
/** What they name last is written. */
export const lastOperand: ReadonlySet<string> = new Set(
  "cp ln link install rsync scp uniq xxd objcopy cpio pax ditto convert magick ffmpeg".split(" "),
);

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
  const operands = args.filter((word, at) => !word.startsWith("-") && !/^--exclude/.test(args[at - 1] ?? ""));
  const named = optionWords(name, args);
  const more = [
    ...named,
    ...protectedOutputs(words),
    ...fetchedFiles(name, args),
    ...settingsFiles(name, args),
  ];
  const written: WrittenWord[] = more.map((word) => ({ word, below: false }));
  const deep = name === "rm" || args.some((word) => /^-[A-Za-z]*[rR]|^--recursive$/.test(word));
  if (name === "git") {
    written.push(...gitWrites(words).map((word) => ({ word, below: true })));
  } else if (everyOperand.has(name)) {
    written.push(...operands.map((word) => ({ word: word.replace(compressed, ""), below: deep })));
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
  } else if (name === "tar" || name === "zip") {
    // What is taken out keeps its name.
    written.push(...operands.slice(0, name === "zip" ? 1 : undefined).map((word) => ({ word, below: true })));
  } else if (name === "split" && operands.length > 1) {
    written.push({ word: operands.at(-1) ?? "", below: false });
  } else if (name === "dd") {
    written.push(
      ...args.filter((word) => word.startsWith("of=")).map((word) => ({ word: word.slice(3), below: false })),
    );
  } else if (
    (/^(?:sed|gsed|perl|ruby)$/.test(name) && args.some((word) => /^-[a-zA-Z]*i|^--in-p/.test(word))) ||
    (/^[gm]?awk$/.test(name) && args.some((word) => /^(?:-i|--include=)?inplace$/.test(word)))
  ) {
    written.push(...operands.map((word) => ({ word, below: false })));
  }
  return written.filter(({ word }) => word !== "" && word !== "-");
}

const compressed = /\.(?:gz|bz2|xz|zst)$/;

/** Options of any program that say where something goes, by their names; abbreviations among them. */
const longOutput =
  /^--(?:.*(?:out|dest|targ|dir|prefix|save|dump|jar|trace|log|write|stderr|append|create|tmp|file|cookie).*|tar)$/i;
const longInput = /exclude|ignore|git-dir|config|include|env|from|work-tree/i;
const shortOutput = /^-(?:[a-zA-Z]*[oOdDtP]|Logfile|out\w*|o(?=.))$/;

/** Values of such options that are protected names. */
function protectedOutputs(words: readonly string[]): readonly string[] {
  const [name = "", ...args] = words;
  if (looksOnly(words) !== undefined) return [];
  const isOutput = (option: string) =>
    (longOutput.test(option) && !longInput.test(option)) ||
    shortOutput.test(option) ||
    (/^(?:curl|wget)$/.test(name) && /^-[a-zA-Z]*[cDaP]$/.test(option)) ||
    (name === "csplit" && option === "-f") ||
    (name === "mktemp" && option === "-p");
  return args
    .flatMap((word, index) => {
      const [, option = word, value = args[index + 1] ?? ""] = /^(--?[\w-]+)=(.+)$/s.exec(word) ?? [];
      const attached = /^-[oODdtPcC](?=[^=])(.+)$/s.exec(word)?.slice(1) ?? [];
      return isOutput(option) ? [value, ...attached] : attached;
    })
    .filter((word) => protectedName(word) !== undefined);
}

/** A file that is fetched without a name for it gets the last one of its address. */
function fetchedFiles(name: string, args: readonly string[]): readonly string[] {
  const keepsName =
    name === "wget"
      ? !args.some((word) => /^-[a-zA-Z]*O|^--output-doc/.test(word))
      : name === "curl" && args.some((word) => /^-[a-zA-Z]*O|^--remote-name/.test(word));
  if (!keepsName) return [];
  const addresses = args.filter((word) => !word.startsWith("-") && word.includes("/"));
  return addresses.map((word) => word.replace(/[?#].*$/s, "").replace(/^.*\//s, ""));
}

/** Package managers keep settings by which scripts are run. */
function settingsFiles(name: string, args: readonly string[]): readonly string[] {
  const operands = args.filter((word) => !word.startsWith("-"));
  const sets = /^(?:config|c) (?:set|edit|delete)(?: |$)|^set /.test(`${operands.join(" ")} `);
  return /^(?:npm|pnpm|yarn)$/.test(name) && sets ? [name === "yarn" ? "~/.yarnrc.yml" : "~/.npmrc"] : [];
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
