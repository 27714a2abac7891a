/** What a repository's own configuration would have git start. Read from its files: git itself is not asked. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

export interface RepositoryConfig {
  /** The folder that holds `.git`; absolute. */
  readonly root: string;
  /** The folder with `config` and `hooks`; absolute. */
  readonly gitFolder: string;
  /** Text of its configuration files, for a mark of their state. */
  readonly text: string;
  /** Keys whose values git runs whatever it does, such as `core.fsmonitor`, `diff.x.textconv`, `filter.x.clean`. */
  readonly always: readonly string[];
  /** Keys and hooks that count for commands which change something or connect somewhere. */
  readonly forChanges: readonly string[];
  /** Names of aliases. */
  readonly aliases: readonly string[];
  /** Why it must be asked about whatever it configures. */
  readonly odd?: string;
}

type GitFolder = Omit<RepositoryConfig, "root">;

interface ConfigEntry {
  /** `diff.x.textconv`: section and name in lower case. */
  readonly key: string;
  readonly value: string;
}

const always =
  /^(?:core\.(?:fsmonitor|pager|worktree|gitproxy|alternaterefscommand)|pager\..*|diff\.external|(?:diff|filter|textconv)\..*\.(?:command|textconv|clean|smudge|process|required)|interactive\.difffilter|gpg\.(?:.*\.)?(?:program|defaultkeycommand)|include\.path|includeif\..*|extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter)|hook\..*|submodule\..*\.ignore)$/;
const forChanges =
  /^(?:core\.(?:hookspath|editor|sshcommand|askpass)|sequence\.editor|credential\..*|ssh\..*|merge\..*\.driver|mergetool\..*|difftool\..*|guitool\..*|man\..*|browser\..*|help\.browser|instaweb\..*|web\.browser|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|url\..*|submodule\..*\.update|http\..*|protocol\..*|sendemail\..*|tar\..*\.command|init\.templatedir|trailer\..*|lfs\..*transfer.*|lfs\.extension\..*|imap\..*)$/;
const suspicious = /command|cmd$|program|helper|editor|driver|textconv|exec/;

const largest = 1_000_000;

/** The repository that git would find from `folder` (absolute) upwards; undefined when there is none. */
export function findRepository(folder: string): RepositoryConfig | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const marker = join(at, ".git");
    const stats = lstatSync(marker, { throwIfNoEntry: false });
    if (stats !== undefined) {
      return {
        root: at,
        ...(stats.isDirectory() ? readRepository(marker) : readElsewhere(marker, stats.isFile())),
      };
    }
    if (at === dirname(at)) {
      return undefined;
    }
  }
}

/** `.git` as a file names the folder: a worktree or a submodule, which is known from the other side too. */
function readElsewhere(marker: string, isFile: boolean): GitFolder {
  if (!isFile) {
    return oddRepository(marker, ".git is a link");
  }
  try {
    const target = /^gitdir: (.+)$/m.exec(readFileSync(marker, "utf8"))?.[1]?.trim() ?? "";
    const folder = realpathSync(resolve(dirname(marker), target));
    const config = readRepository(folder, dirname(marker));
    return knowsMarker(folder, marker)
      ? config
      : { ...config, odd: `.git is a file that names a repository elsewhere (${target})` };
  } catch {
    return oddRepository(marker, ".git is a file that names a repository which cannot be read");
  }
}

function knowsMarker(folder: string, marker: string): boolean {
  try {
    const back = readFileSync(join(folder, "gitdir"), "utf8").trim();
    return realpathSync(back) === realpathSync(marker);
  } catch {
    // A submodule is kept below the repository that it belongs to.
    const home = dirname(marker);
    return (
      /\/\.git\/modules\//.test(folder) && home.startsWith(folder.slice(0, folder.indexOf("/.git/modules/")))
    );
  }
}

function oddRepository(gitFolder: string, odd: string): GitFolder {
  return { gitFolder, text: "", always: [], forChanges: [], aliases: [], odd };
}

/** For a `.git` folder, also one of a linked worktree. */
function readRepository(gitFolder: string, home = dirname(gitFolder)): GitFolder {
  const shared = sharedFolder(gitFolder);
  const files = [join(shared, "config"), join(gitFolder, "config.worktree")].map(readText);
  const text = files.map((file) => file ?? "").join("\n");
  const entries = files.includes(undefined) ? undefined : readEntries(text);
  if (entries === undefined) {
    return oddRepository(gitFolder, "its configuration could not be read");
  }
  const isOwnTree = ({ key, value }: ConfigEntry) =>
    key === "core.worktree" && resolve(gitFolder, value) === home;
  const hooks = hookNames(join(shared, "hooks"));
  const runsAlways = entries
    .filter((entry) => always.test(entry.key) && !isHarmless(entry) && !isOwnTree(entry))
    .map(({ key }) => key);
  const others = entries.filter(
    (entry) =>
      !always.test(entry.key) && (forChanges.test(entry.key) || looksExecutable(entry)) && !isHarmless(entry),
  );
  return {
    gitFolder,
    text,
    always: [...new Set(runsAlways)],
    forChanges: [...new Set([...others.map(({ key }) => key), ...hooks.map((name) => `hooks/${name}`)])],
    aliases: entries
      .filter(({ key }) => key.startsWith("alias."))
      .map(({ key }) => key.slice("alias.".length)),
  };
}

function isHarmless({ key, value }: ConfigEntry): boolean {
  const truth = /^(?:true|false|yes|no|on|off|0|1)?$/i;
  return (key === "core.fsmonitor" || key.startsWith("pager.")) && truth.test(value)
    ? true
    : key === "core.pager" && value === "cat"
      ? true
      : /^http\..*(?:postbuffer|version|sslverify|lowspeed\w*)$/.test(key) && !/[/!]/.test(value);
}

function looksExecutable({ key, value }: ConfigEntry): boolean {
  const name = key.slice(key.lastIndexOf(".") + 1);
  return (
    suspicious.test(name) ||
    value.startsWith("!") ||
    /\bext::/.test(value) ||
    /^--(?:upload|receive)-pack/.test(value)
  );
}

function sharedFolder(gitFolder: string): string {
  const named = readText(join(gitFolder, "commondir"))?.trim();
  return named === undefined || named === "" ? gitFolder : isAbsolute(named) ? named : join(gitFolder, named);
}

/** Empty when the file is not there, undefined when it is there and cannot be read. */
function readText(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      return "";
    }
    return stats.isFile() && stats.size <= largest ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Hooks that git would run; the samples that come with a new repository are none. */
function hookNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(
      (name) => !name.endsWith(".sample") && /^[\w-]+$/.test(name) && name !== "README",
    );
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? [] : ["?"];
  }
}

/** Undefined when a line is not understood: then nothing is known of the whole. */
export function readEntries(text: string): readonly ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) {
    let rest = line.trim();
    const header = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*/.exec(rest);
    if (header !== null) {
      const [whole, name = "", subsection] = header;
      section =
        subsection === undefined
          ? name.toLowerCase()
          : `${name.toLowerCase()}.${subsection.replace(/\\(.)/g, "$1")}`;
      rest = rest.slice(whole.length);
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) {
      continue;
    }
    const entry = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest);
    if (entry === null || section === "") {
      return undefined;
    }
    entries.push({ key: `${section}.${(entry[1] ?? "").toLowerCase()}`, value: unquoted(entry[2] ?? "") });
  }
  return entries;
}

function unquoted(value: string): string {
  return value
    .replace(/\s+[#;].*$/, "")
    .replaceAll('"', "")
    .trim();
}
