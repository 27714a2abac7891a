/**
 * Commands that nobody wants an agent to run: they are refused whatever was allowed. A net for accidents, not a wall:
 * what a hostile command may do is up to the person who is asked.
 */
import { programName, type SimpleCommand, splitCommand } from "./split-command.ts";

interface Disaster {
  readonly reason: string;
  matches(name: string, args: readonly string[], command: SimpleCommand): boolean;
}

const wholeSystem =
  /^(?:\/|~|\$HOME|\$\{HOME\}|\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library|Applications))?\/*(?:\.?\*)?$/;
const disk = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-)/;

const disasters: readonly Disaster[] = [
  {
    reason: "it deletes the system or the whole home folder",
    matches: (name, args) =>
      (name === "rm" && recursive(args) && args.some(isWholeSystem)) ||
      (name === "find" && args.some(isWholeSystem) && (args.includes("-delete") || args.includes("rm"))),
  },
  {
    reason: "it changes owner or permissions of the whole system",
    matches: (name, args) =>
      /^(?:chmod|chown|chgrp)$/.test(name) && recursive(args) && args.some(isWholeSystem),
  },
  {
    reason: "it moves the whole system or home folder away",
    matches: (name, args) => name === "mv" && args.slice(0, -1).some(isWholeSystem),
  },
  {
    reason: "it formats or wipes a disk",
    matches: (name, args) =>
      /^(?:mkfs(?:\..*)?|mke2fs|wipefs|mkswap)$/.test(name) && args.some((word) => word.startsWith("/dev/")),
  },
  {
    reason: "it writes over a disk",
    matches: (name, args, command) =>
      (name === "dd" && args.some((word) => word.startsWith("of=") && disk.test(word.slice(3)))) ||
      (/^(?:shred|blkdiscard|tee|cp)$/.test(name) && args.some((word) => disk.test(word))) ||
      command.writesTo.some((path) => disk.test(path)),
  },
  {
    reason: "it switches the computer off",
    matches: (name, args) =>
      /^(?:shutdown|reboot|halt|poweroff)$/.test(name) ||
      (/^(?:init|telinit)$/.test(name) && /^[06]$/.test(args[0] ?? "")) ||
      (name === "systemctl" && args.some((word) => /^(?:poweroff|reboot|halt|kexec)$/.test(word))),
  },
  {
    reason: "it ends every process",
    matches: (name, args) => name === "kill" && args.slice(1).includes("-1"),
  },
];

/** A function that calls itself twice in the background. Looked for at the beginnings of names only, to stay linear. */
const forkBomb = /(?<![\w:.])([\w:.]+)\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;?\s*\1/;

/** Why the command is refused, or undefined. */
export function refuseDisaster(command: string, depth = 0): string | undefined {
  if (forkBomb.test(command)) {
    return "it starts processes without end (a fork bomb)";
  }
  for (const simple of splitCommand(command)) {
    const [program = "", ...args] = simple.words;
    const name = programName(program);
    const found = disasters.find((disaster) => disaster.matches(name, args, simple));
    const inner = depth < 3 ? innerCommand(name, args) : undefined;
    const reason = found?.reason ?? (inner === undefined ? undefined : refuseDisaster(inner, depth + 1));
    if (reason !== undefined) {
      return reason;
    }
  }
  return undefined;
}

/** The text that a shell is given by `-c`, or `eval`. */
function innerCommand(name: string, args: readonly string[]): string | undefined {
  if (name === "eval") {
    return args.join(" ");
  }
  const option = /^(?:ba|da|z|k)?sh$/.test(name) ? args.findIndex((word) => /^-\w*c$/.test(word)) : -1;
  return option === -1 ? undefined : args[option + 1];
}

function recursive(args: readonly string[]): boolean {
  return args.some(
    (word) => word === "--recursive" || word === "--no-preserve-root" || /^-[a-zA-Z]*[rR]/.test(word),
  );
}

function isWholeSystem(word: string): boolean {
  return word !== "" && word !== "*" && word !== ".*" && wholeSystem.test(word);
}
