/**
 * Finds out which commands of the person need the terminal, because their programs fill the screen or ask questions.
 */

/** Programs that need the terminal with any arguments. */
const always: ReadonlySet<string> = new Set(
  `vi vim nvim view nano pico micro emacs hx helix kak joe mcedit less more most man info top htop btop atop watch tig
  lazygit gitui ranger nnn mc fzf ssh mosh tmux screen gdb lldb psql mysql mongosh redis-cli sudo su doas passwd`.split(
    /\s+/,
  ),
);
/** Programs that need the terminal if all their arguments are one-letter options, other than `-c` and `-e` with code. */
const bare: ReadonlySet<string> = new Set(
  "bash sh zsh fish python python3 ipython node deno irb bc ghci sqlite3 lua julia R".split(" "),
);
/** Calls that open an editor, or that ask about each change or each value. */
const calls: readonly RegExp[] = [
  /^git (?:.* )?(?:rebase|add|checkout|restore|reset|stash|commit) (?:.* )?(?:-i|-p|--interactive|--patch)\b/,
  /^git commit(?!.* (?:-\w*[mCF]|--message|--file|--no-edit|--reuse-message|--fixup)\b)/,
  /^git (?:mergetool|difftool|tag -a(?!.* -m))\b/,
  /^(?:npm|pnpm|yarn) (?:init|login|create)(?!.* (?:-y|--yes)\b)/,
];

/**
 * Returns true if a command needs the terminal. It looks only at the words, because a wrong guess changes only where the
 * output goes.
 */
export function needsTerminal(command: string): boolean {
  return command.split(/\|\||&&|[|;&\n]/).some((part) => needs(part.trim().replace(/^(?:\w+=\S*\s+)+/, "")));
}

function needs(call: string): boolean {
  const [path = "", ...words] = call.split(/\s+/);
  const program = path.slice(path.lastIndexOf("/") + 1);
  if (always.has(program)) return true;
  const isBare = words.every((word) => /^-[abd-z]$/.test(word) && word !== "-e");
  if (bare.has(program)) return isBare;
  return calls.some((pattern) => pattern.test([program, ...words].join(" ")));
}
