/** Finds out which folder of another machine the words after `--workspace` name. */
import { usageError } from "@localharness/engine";
import { placeKind } from "@localharness/store/lent/machines";
import { openRecordFile } from "@localharness/store/lent/record-file";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { ownFolder } from "../compose/open-resources.ts";
import { warn } from "../compose/warn.ts";

export type PlaceElsewhere =
  | { readonly kind: "socket"; readonly name: string; readonly url: string; readonly token: string }
  /** A folder that is reached over the system's `ssh`. `folder` is absolute, or relative to the home folder there. */
  | { readonly kind: "ssh"; readonly name: string; readonly host: string; readonly folder: string };

/** Returns the place; undefined if the words name none. Rejects with a `HarnessError` for a wrong or unpaired address. */
export async function findPlace(
  folder: string | undefined,
  words: string,
): Promise<PlaceElsewhere | undefined> {
  if (words.startsWith("ssh://")) return sshPlace(words);
  const journal = createWriteJournal(ownFolder());
  try {
    const places = await openRecordFile(folder, placeKind, journal, warn).list();
    const isAddress = /^wss?:\/\//.test(words);
    const found = places.find(({ name, url }) => name === words || (isAddress && sameAddress(url, words)));
    if (found !== undefined) return { kind: "socket", ...found };
    if (!isAddress) return undefined;
    throw usageError(
      `this machine is not paired with ${words}: start localharness lend there, and run here what it says: localharness lend pair ${words} CODE`,
    );
  } finally {
    journal.close();
  }
}

function sameAddress(one: string, other: string): boolean {
  return (
    URL.canParse(other) &&
    new URL(one).origin === new URL(other).origin &&
    new URL(one).host === new URL(other).host
  );
}

/**
 * Returns the place of `ssh://[user@]host[:port]/folder`. `/~/folder` is in the home folder there; without a folder the
 * place is the home folder. Throws a `HarnessError` for any other text.
 */
function sshPlace(words: string): PlaceElsewhere {
  const [, host = "", port, path = ""] =
    /^ssh:\/\/([\w.@[\]:-]*?[\w\]])(?::(\d{1,5}))?(\/.*)?$/.exec(words) ?? [];
  if (host === "" || host.startsWith("-")) throw usageError(`expected ssh://HOST/FOLDER, got ${words}`);
  const folder = path.startsWith("/~/") ? path.slice(3) : path;
  return {
    kind: "ssh",
    name: host,
    host: port === undefined ? host : `${host}:${port}`,
    folder: folder || ".",
  };
}
