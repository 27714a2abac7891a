/** Opens the workspace of a run: a folder of this machine, or one that another machine lends. */
import { existsSync } from "node:fs";
import type { Session } from "@localharness/engine";
import { openWorkbench, type Workbench, type WorkbenchParts } from "../compose/workbench.ts";
import { defaultTools } from "../config/fields.ts";
import type { Settings } from "../config/settings.ts";

/**
 * Opens the workspace that `workspace` names: a folder of this machine, else the address or the name of a folder elsewhere.
 * Opens the current folder if `workspace` is undefined. Rejects with a `HarnessError` if nothing can be opened.
 */
export async function openPlace(
  settings: Settings,
  workspace: string | undefined,
  parts: WorkbenchParts,
): Promise<Workbench> {
  if (workspace !== undefined && !existsSync(workspace)) {
    const { findPlace } = await import("./find-place.ts");
    const place = await findPlace(settings.folder, workspace);
    if (place !== undefined) {
      const { openElsewhere } = await import("./open-elsewhere.ts");
      return openElsewhere(settings, place, parts);
    }
  }
  return openWorkbench(settings, workspace, defaultTools, parts);
}

/** Shows the messages about the connection to a workspace elsewhere as notices of the session. Returns the session. */
export function withLinkNotices(session: Session, { followLink }: Workbench): Session {
  followLink?.((text) => session.notice("warning", "elsewhere", text));
  return session;
}
