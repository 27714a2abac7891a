/**
 * Recognises the names of files with passwords and keys. The person is asked before such a file is read, and searches skip it.
 */
import { isAbsolute } from "node:path";
import { foldName, foldPath } from "./fold-name.ts";
import { namesFromHome } from "./home-links.ts";
import { secretFiles, secretFolders, secretKinds, systemSecrets } from "./secret-table.ts";

const parts = (path: string) =>
  path
    .split("/")
    .filter((part) => part !== "")
    .map(foldName);
const exact = new Set(secretFiles.filter((name) => !name.includes("/")).map(foldName));
const sequences = Map.groupBy(
  secretFiles.filter((name) => name.includes("/")).map((name) => ({ name, parts: parts(name) })),
  (one) => one.parts.at(-1) ?? "",
);
const folders = Map.groupBy(
  secretFolders.map((name) => ({ name, parts: parts(name) })),
  (one) => one.parts[0] ?? "",
);
const ofSystem = systemSecrets.map((name) => ({ name, parts: parts(name) }));
const publicNames = /\.pub$|^known_hosts(?:\.old)?$/;

/** Matches `.env` files and their copies by editors or by hand. */
const environmentFile = /^(?:#?\.env(?:[._~#-].*)?|.+\.env[~#]?)$/;
/** Matches templates without values, which repositories contain. */
const pattern = /(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults?|schema|d\.ts)$/;
const keyFile = /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|ovpn)$/;
const sshKey = /^((?:id|ssh_host)_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)(?:[._~-].*|_key)?$/;

/** Matches names of templates like `pattern`, but for names of which an ending follows. */
const template =
  /(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults?|schema|mock|fake|dummy)(?:[._-]|$)/;

/**
 * Returns the kind of secret that `path` names, such as `.env` or `*.pem`, and not the path itself; undefined for any
 * other name. `path` is absolute, relative to the folder `root`, or any part of a path. With `root`, an absolute path, the
 * components of both count, and the names that links in the home folder give to the file.
 */
export function secretName(path: string, root = ""): string | undefined {
  const components =
    root === "" || isAbsolute(path) ? foldPath(path) : [...foldPath(root), ...foldPath(path)];
  const isWhole = root !== "" || /^[/\\]/.test(path);
  if (!isWhole) return nameIn(components, false);
  for (const names of namesFromHome(components)) {
    const found = nameIn(names, true);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nameIn(components: readonly string[], isWhole: boolean): string | undefined {
  const name = components.at(-1) ?? "";
  const listed = sequences.get(name)?.find((one) => endsWith(components, one.parts));
  if (listed !== undefined) return listed.name;
  const inside = components.slice(0, -1);
  const folder = inside.flatMap(
    (part, at) => folders.get(part)?.find((one) => continues(inside, at, one.parts)) ?? [],
  )[0];
  if (folder !== undefined) return publicNames.test(name) ? undefined : folder.name;
  if (exact.has(name)) return name;
  const key = name.endsWith(".pub") ? undefined : sshKey.exec(name)?.[1];
  if (key !== undefined) return key;
  const ending = keyFile.exec(name)?.[0];
  if (ending !== undefined) return `*${ending}`;
  if (environmentFile.test(name) && !pattern.test(name)) {
    return name === ".env" ? name : /^#?\.env/.test(name) ? ".env.*" : "*.env";
  }
  const kind = secretKinds.find(([expression]) => expression.test(name))?.[1];
  if (kind !== undefined && !template.test(name) && !inside.includes("templates")) return kind;
  return isWhole ? ofSystem.find((one) => continues(components, 0, one.parts))?.name : undefined;
}

function endsWith(components: readonly string[], sequence: readonly string[]): boolean {
  return continues(components, components.length - sequence.length, sequence);
}

/** Returns true if `components` has the whole sequence from `at` on. */
function continues(components: readonly string[], at: number, sequence: readonly string[]): boolean {
  return sequence.every((part, index) => components[at + index] === part);
}
