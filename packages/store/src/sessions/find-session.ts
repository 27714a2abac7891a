/** Finds the session that a person means by a typed text. */
import { usageError } from "@localharness/engine";
import { suggestion } from "@localharness/protocol";
import { listSessionFiles, sessionIds } from "./list-sessions.ts";
import { idsElsewhere } from "./other-folders.ts";

/**
 * Returns the session id for `wanted`, which is an id, the beginning of an id, a number in the list (1 is the newest), or a
 * name in any case; else the id of a session of another folder, or its beginning. The first of these readings that fits
 * exactly one session decides. Rejects with a `HarnessError` if none does.
 */
export async function findSession(folder: string, wanted: string): Promise<string> {
  const ids = sessionIds(folder);
  if (ids.includes(wanted)) return wanted;
  const begin = ids.filter((id) => id.startsWith(wanted));
  const [only, another] = begin;
  if (only !== undefined && another === undefined) return only;
  const listed = await listSessionFiles(folder);
  if (/^[1-9]\d{0,5}$/.test(wanted)) {
    const numbered = listed[Number(wanted) - 1];
    if (numbered !== undefined) return numbered.id;
  }
  const named = listed.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (named.length === 1 && named[0] !== undefined) return named[0].id;
  if (begin.length > 1) {
    throw usageError(
      `${begin.length} session ids begin with "${wanted}": write more of the id, such as ${only}`,
    );
  }
  const elsewhere = idsElsewhere(folder, wanted);
  const [other, second] = elsewhere;
  if (other !== undefined && second === undefined) return other;
  if (elsewhere.length > 1) {
    throw usageError(
      `${elsewhere.length} session ids of other folders begin with "${wanted}": write more of the id, such as ${other}`,
    );
  }
  if (listed.length === 0) throw usageError(`there is no session "${wanted}": this folder has no sessions`);
  const names = listed.flatMap(({ name }) => (name === "" ? [] : [name]));
  const hint = suggestion(wanted, [...names, ...ids]) || ` The newest is ${listed[0]?.id}.`;
  throw usageError(
    `there is no session "${wanted}" in this folder.${hint} localharness sessions list shows them all`,
  );
}
