/**
 * Recognises the names of files with passwords and keys. The person is asked before such a file is read, and searches skip it.
 */
import { foldName, foldPath } from "./fold-name.ts";
import { secretFiles, secretFolders, systemSecrets } from "./secret-table.ts";

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

/**
 * Returns the kind of secret that `path` names, such as `.env` or `*.pem`, and not the path itself; undefined for any
 * other name.
 */
export function secretName(path: string): string | undefined {
  const components = foldPath(path);
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
  return /^[/\\]/.test(path) ? ofSystem.find((one) => continues(components, 0, one.parts))?.name : undefined;
}

function endsWith(components: readonly string[], sequence: readonly string[]): boolean {
  return continues(components, components.length - sequence.length, sequence);
}

/** Returns true if `components` has the whole sequence from `at` on. */
function continues(components: readonly string[], at: number, sequence: readonly string[]): boolean {
  return sequence.every((part, index) => components[at + index] === part);
}
