/** Creates random paths as a model, or an attacker through it, might write them. */
import type { Random } from "../fuzz-shell/random.ts";
import { names, pick, type Tree } from "./tree.ts";

export function randomPath(random: Random, tree: Tree): string {
  const pieces: string[] = [];
  const count = 1 + random.below(6);
  for (let piece = 0; piece < count; piece += 1) {
    pieces.push(randomPiece(random, tree));
  }
  const separator = pick(random, ["/", "/", "/", "/", "//", "/./"]);
  const path =
    pick(random, ["", "", "", "", "./", "/", "~/", `${tree.root}/`, `${tree.root}/../`]) +
    pieces.join(separator);
  return mutated(random, path);
}

function randomPiece(random: Random, tree: Tree): string {
  const known = tree.paths.length === 0 ? "a" : pick(random, tree.paths);
  return pick(random, [
    known,
    known,
    known,
    known.split("/").at(-1) ?? "",
    known.split("/")[0] ?? "",
    pick(random, names),
    "..",
    "..",
    ".",
    "",
    "../..",
    "ws",
    "../ws-outside",
    "../ws2/a",
    "ws-outside/secret.txt",
    tree.root,
    tree.outside,
    "/etc/passwd",
    "proc/self/root",
  ]);
}

function mutated(random: Random, path: string): string {
  switch (random.below(24)) {
    case 0:
      return path.toUpperCase();
    case 1:
      return path.normalize(pick(random, ["NFC", "NFD"]));
    case 2:
      return path.replaceAll("/", "\\");
    case 3:
      return `${path}\0`;
    case 4:
      return `${path}\0/../../ws-outside/secret.txt`;
    case 5:
      return encodeURIComponent(path.slice(0, 50));
    case 6:
      return `${path}${pick(random, ["/", "/.", "/..", ".", " ", "::$DATA"])}`;
    case 7:
      return path.repeat(1 + random.below(20));
    case 8:
      return "x".repeat(random.below(6000));
    case 9: {
      const at = random.below(path.length + 1);
      return (
        path.slice(0, at) + pick(random, ["/", ".", "..", "\\", "\u200b", "%2f", "\ud800"]) + path.slice(at)
      );
    }
    default:
      return path;
  }
}
