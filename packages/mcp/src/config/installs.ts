/** Tells the programs that download a server before they start it. */
import type { ServerEntry } from "./entry.ts";

/** The programs, each with the words of which the first argument has to be one; none if every start may download. */
const installers: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  npm: ["exec", "x"],
  pnpm: ["dlx", "exec"],
  pnpx: [],
  yarn: ["dlx"],
  bunx: [],
  bun: ["x"],
  deno: ["run"],
  uvx: [],
  uv: ["run", "tool", "x"],
  pipx: ["run"],
  docker: ["run"],
  podman: ["run"],
  dnx: [],
  go: ["run"],
  cargo: ["run"],
};

/** Returns true if the command of the entry may first have to download or build the server. */
export function mayInstall(entry: ServerEntry): boolean {
  if (entry.kind !== "command") return false;
  const name = (/[^/\\]*$/.exec(entry.command)?.[0] ?? "")
    .toLowerCase()
    .replace(/\.(?:cmd|exe|bat|ps1)$/, "");
  const words = Object.hasOwn(installers, name) ? installers[name] : undefined;
  if (words === undefined) return false;
  const first = entry.args.find((argument) => !argument.startsWith("-")) ?? "";
  return words.length === 0 || words.includes(first);
}
