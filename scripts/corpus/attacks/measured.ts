/** Measures after a case what only some checks need. */
import { execFileSync } from "node:child_process";
import type { DriveOptions } from "./drive-call.ts";
import type { Observation } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import { environment } from "./program.ts";
import type { Row } from "./row.ts";

/** Returns the observation with the settings in the row's place and in an empty one, if a check compares them. */
export async function measured(row: Row, seen: Observation, options: DriveOptions): Promise<Observation> {
  if (!("config_unchanged" in row.check)) return seen;
  using plain = makePlace("");
  const config = settingsIn(seen.place, options);
  return { ...seen, found: { ...seen.found, config, plainConfig: settingsIn(plain, options) } };
}

function settingsIn(place: Place, { program }: DriveOptions): string {
  const text = execFileSync(process.execPath, [program, "config", "show"], {
    cwd: place.ws,
    env: environment(place),
    encoding: "utf8",
    stdio: "pipe",
  });
  return text.replaceAll(place.root, "ROOT");
}
