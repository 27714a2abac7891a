/** Finds program calls that only read, and the files that they read. */
import type { LookList, PlainLook } from "./programs/program.ts";
import { exactProgram } from "./programs/table.ts";
import { readOptions } from "./read-options.ts";

/** Returns the files that the call reads; undefined if it may do more, as may any program that is called by a path. */
export function looksOnly([name = "", ...args]: readonly string[]): PlainLook | undefined {
  const { looks, version } = exactProgram(name) ?? {};
  const asksVersion = args.length === 1 && version?.split(" ").includes(args[0] ?? "") === true;
  if (asksVersion) return { paths: [], recursive: false };
  return typeof looks === "function" ? looks(args) : looks && lookByList(looks, args);
}

function lookByList(list: LookList, args: readonly string[]): PlainLook | undefined {
  const known = readOptions(args, list);
  const { operands: kind = "paths", maxOperands = Number.POSITIVE_INFINITY } = list;
  if (known === undefined || known.operands.length > maxOperands) return undefined;
  const { operands, options } = known;
  const recursive =
    list.readsFolders === true || options.some((option) => list.recursive?.split(" ").includes(option));
  if (kind === "paths") {
    const paths = operands.filter((word) => word !== "-");
    return list.filesOnly === true ? { paths, recursive, filesOnly: true } : { paths, recursive };
  }
  if (kind === "pattern") {
    const patternGiven = options.some((option) => /^(?:-e|--regexp|--files|--type-list)$/.test(option));
    return { paths: operands.slice(patternGiven ? 0 : 1).filter((word) => word !== "-"), recursive };
  }
  const fits =
    kind === "text" || (kind === "none" ? operands.length === 0 : operands.every((word) => kind.test(word)));
  return fits ? { paths: [], recursive: false } : undefined;
}
