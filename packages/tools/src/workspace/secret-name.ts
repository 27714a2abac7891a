/** Recognises the names of files with passwords and keys. Reading one needs an answer; searches skip them. */
import { foldPath } from "./fold-name.ts";

const exact = new Set(
  `.npmrc .pypirc .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials .vault-token .s3cfg .boto .dockercfg
  .bash_history .zsh_history .sh_history .mysql_history .psql_history .node_repl_history .python_history`.split(
    /\s+/,
  ),
);

/** The names of folders in which every file is a secret, except those with public names. */
const folders = new Set([".ssh", ".gnupg"]);
const publicNames = /\.pub$|^known_hosts(?:\.old)?$/;

const sequences: readonly (readonly string[])[] = [
  [".aws", "credentials"],
  [".docker", "config.json"],
  [".kube", "config"],
  [".config", "gh", "hosts.yml"],
  [".cargo", "credentials.toml"],
  [".cargo", "credentials"],
  [".gem", "credentials"],
  [".composer", "auth.json"],
  [".m2", "settings.xml"],
  [".config", "hub"],
  [".config", "rclone", "rclone.conf"],
  [".config", "gcloud", "application_default_credentials.json"],
  [".config", "gcloud", "credentials.db"],
  [".azure", "msal_token_cache.json"],
  [".terraform.d", "credentials.tfrc.json"],
];

/** Matches `.env` files and their copies by editors or by hand. */
const environmentFile = /^(?:#?\.env(?:[._~#-].*)?|.+\.env[~#]?)$/;
/** Matches templates without values, which repositories contain. */
const pattern = /(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults?|schema|d\.ts)$/;
const keyFile = /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|ovpn)$/;
const sshKey = /^(id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)(?:[._~-].*)?$/;

/**
 * Returns the kind of secret that `path` names, such as `.env` or `*.pem`, and not the path itself; undefined for any
 * other name.
 */
export function secretName(path: string): string | undefined {
  const components = foldPath(path);
  const name = components.at(-1) ?? "";
  const folder = components.slice(0, -1).find((component) => folders.has(component));
  if (folder !== undefined) return publicNames.test(name) ? undefined : folder;
  if (exact.has(name)) return name;
  const key = name.endsWith(".pub") ? undefined : sshKey.exec(name)?.[1];
  if (key !== undefined) return key;
  const ending = keyFile.exec(name)?.[0];
  if (ending !== undefined) return `*${ending}`;
  if (environmentFile.test(name) && !pattern.test(name)) {
    return name === ".env" ? name : /^#?\.env/.test(name) ? ".env.*" : "*.env";
  }
  const sequence = sequences.find((one) =>
    one.every((part, index) => components[components.length - one.length + index] === part),
  );
  return sequence?.join("/");
}
