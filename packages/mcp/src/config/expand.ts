/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` in the values of an entry with environment variables. A default
 * holds only for a variable that is not set; an empty one stays empty.
 */
import type { OAuthEntry, ServerEntry } from "./entry.ts";

export type Expanded =
  | { readonly ok: true; readonly entry: ServerEntry }
  /** `missing` names the variables that have neither a value nor a default. */
  | { readonly ok: false; readonly missing: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Returns the entry with all references replaced, or the names of the variables that are missing for it. */
export function expandEntry(entry: ServerEntry, environment: Environment): Expanded {
  const missing = new Set<string>();
  const text = (value: string) =>
    value.replace(reference, (_whole, name: string, unset: string | undefined) => {
      const found = environment[name] ?? unset;
      if (found === undefined) missing.add(name);
      return found ?? "";
    });
  const record = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, text(value)]));
  const expanded: ServerEntry =
    entry.kind === "command"
      ? {
          ...entry,
          command: text(entry.command),
          args: entry.args.map(text),
          env: record(entry.env),
          ...(entry.cwd === undefined ? {} : { cwd: text(entry.cwd) }),
        }
      : {
          ...entry,
          url: text(entry.url),
          headers: record(entry.headers),
          ...(entry.oauth === undefined ? {} : { oauth: oauthWith(entry.oauth, text) }),
        };
  return missing.size === 0 ? { ok: true, entry: expanded } : { ok: false, missing: [...missing] };
}

function oauthWith(oauth: OAuthEntry, text: (value: string) => string): OAuthEntry {
  const pairs = Object.entries(oauth).map(([key, value]) => [
    key,
    typeof value === "string" ? text(value) : value,
  ]);
  return Object.fromEntries(pairs) as OAuthEntry;
}

function oauthTexts(oauth: OAuthEntry | undefined): readonly string[] {
  return Object.values(oauth ?? {}).filter((value) => typeof value === "string");
}

/** Returns the names of the environment variables that the entry reads, each once. */
export function variablesIn(entry: ServerEntry): readonly string[] {
  const texts =
    entry.kind === "command"
      ? [entry.command, ...entry.args, ...Object.values(entry.env), entry.cwd ?? ""]
      : [entry.url, ...Object.values(entry.headers), ...oauthTexts(entry.oauth)];
  return [...new Set(texts.flatMap((one) => [...one.matchAll(reference)].map(([, name = ""]) => name)))];
}
