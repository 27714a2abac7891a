/**
 * Checks that a call may use an opened file or folder, because its path may lead to another file than when the call was
 * allowed.
 */
import { type Failure, type Outcome, refused } from "../outcome.ts";
import type { Permits } from "./workspace.ts";

/**
 * Returns the opened file or folder. If it is not permitted, closes it and returns a failure. `asked` is the path as the
 * model wrote it.
 */
export function onlyPermitted<T extends { readonly path: string } & Disposable>(
  permits: Permits,
  asked: string,
  opened: Outcome<T>,
): Outcome<T> {
  if (!opened.ok || permits(opened.value.path, false)) return opened;
  opened.value[Symbol.dispose]();
  return exchangedFailure(asked, opened.value.path);
}

export function exchangedFailure(asked: string, path: string): Failure {
  return refused(
    "permission_denied",
    `"${asked}" leads to "${path}" now, which is not what was there when the call was allowed; nothing was done. Make the call again.`,
  );
}
