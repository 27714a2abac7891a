/** Which session a person means. */
import { usageError } from "@localharness/engine";
import { listSessionFiles, sessionIds } from "./list-sessions.ts";

/** An id or the beginning of one, a number in the list (1 is the newest), or a name. Throws a `HarnessError` otherwise. */
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
  if (begin.length > 1)
    throw usageError(`"${wanted}" begins ${begin.length} sessions: write more of the id, such as ${only}`);
  const there =
    listed.length === 0 ? "there are none in this folder" : "localharness sessions list shows them";
  throw usageError(`no session "${wanted}" here: ${there}`);
}
