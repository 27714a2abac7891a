/** Holds what was opened against what a call was allowed for: names may have been exchanged since the person looked. */
import { type Failure, type Outcome, refused } from "../outcome.ts";

/**
 * Says whether a call may use what its path has led to (physical, relative to the root). `onTheWay`: a folder that
 * would be made on the way there.
 */
export type Permits = (path: string, onTheWay: boolean) => boolean;

/** Closes and refuses what is not permitted. `asked` is the path as the model wrote it. */
export function onlyPermitted<T extends { readonly path: string } & Disposable>(
  permits: Permits,
  asked: string,
  opened: Outcome<T>,
): Outcome<T> {
  if (!opened.ok || permits(opened.value.path, false)) {
    return opened;
  }
  opened.value[Symbol.dispose]();
  return exchanged(asked, opened.value.path);
}

export function exchanged(asked: string, path: string): Failure {
  return refused(
    "permission_denied",
    `"${asked}" leads to "${path}" now, which is not what was there when the call was allowed; nothing was done. Make the call again.`,
  );
}
