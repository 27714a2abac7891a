/** Finds the folder of `cd FOLDER && ...` and `git -C FOLDER ...`, and leaves these words out of a reading. */
import type { LocatedCall, PlainReading } from "./plain-reader.ts";
import type { Words } from "./programs/program.ts";
import type { TreeReading } from "./syntax-tree.ts";

/** What the two readers found in a text. */
export interface Sources {
  readonly text: string;
  readonly plain: PlainReading;
  /** Absent if the grammar did not read the text. */
  readonly tree?: TreeReading;
}

export interface LeadingFolder {
  /** The folder, as one literal word. */
  readonly folder: string;
  /** The call that names the folder. */
  readonly call: Words;
  /** The sources of the text that has the same meaning in that folder. */
  readonly rest: Sources;
}

const literal = /^\/?[\w.@+][\w\-.@+/]*$/;

/** Returns the folder that the text names first; undefined unless all its calls certainly run there. */
export function leadingFolder({ text, plain, tree }: Sources): LeadingFolder | undefined {
  const [first, ...others] = plain.calls ?? [];
  if (first === undefined || plain.files.length > 0 || tree?.torn === true) return undefined;
  const isGit = first.words[0] === "git";
  const folder = first.words[isGit ? 2 : 1] ?? "";
  const from = first.at[isGit ? 1 : 0] ?? 0;
  const to = isGit ? first.at[3] : others[0]?.at[0];
  // After `;` or `||`, a call also runs if `cd` fails, and then in the folder in which the command starts.
  const runsThere = isGit ? others.length === 0 : others.every(({ after }) => /^(?:|&&|\|)$/.test(after));
  if (to === undefined || !runsThere || !literal.test(folder)) return undefined;
  const written = isGit ? ["git", "-C", folder] : ["cd", folder, "&&"];
  const before = text
    .slice(0, to)
    .split(/ +/)
    .filter((word) => word !== "");
  if (before.join(" ") !== written.join(" ")) return undefined;
  const drop = isGit ? 2 : first.words.length;
  const readers = tree === undefined ? {} : withoutFolder(tree, first.words, drop);
  if (readers === undefined) return undefined;
  const moved = isGit
    ? [withoutWords(first, drop, to - from)]
    : others.map((one) => withoutWords(one, 0, to - from));
  return {
    ...{ folder, call: first.words },
    rest: { text: text.slice(0, from) + text.slice(to), plain: { ...plain, calls: moved }, ...readers },
  };
}

/** Returns the call without the words after its first that name the folder, in a text that is shorter by `shift`. */
function withoutWords(call: LocatedCall, drop: number, shift: number): LocatedCall {
  const stays = (index: number) => index === 0 || index > drop;
  return {
    ...call,
    words: call.words.filter((_, index) => stays(index)),
    at: call.at
      .filter((_, index) => stays(index))
      .map((at, index) => (drop > 0 && index === 0 ? at : at - shift)),
    patterns: call.patterns.map((index) => index - drop),
  };
}

/** Returns the reading of the tree without the words; undefined if the tree does not begin with this call. */
function withoutFolder(
  tree: TreeReading,
  call: Words,
  drop: number,
): { readonly tree: TreeReading } | undefined {
  const named = call.slice(0, drop + 1);
  const names = (words: Words | undefined) => named.every((word, at) => word === words?.[at]);
  const rest = ([name = "", ...args]: Words) => [name, ...args.slice(drop)];
  const cut = (calls: readonly Words[]) => {
    const isGit = drop < call.length;
    const first = isGit ? -1 : calls.findIndex(names);
    return isGit
      ? calls.map((words) => (names(words) ? rest(words) : words))
      : calls.filter((_, at) => at !== first);
  };
  if (!names(tree.whole[0])) return undefined;
  return { tree: { ...tree, calls: cut(tree.calls), whole: cut(tree.whole), vouched: cut(tree.vouched) } };
}
