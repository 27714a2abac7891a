/**
 * Runs the recorded cases about text that reaches a terminal: as answer, file content, question, command output and
 * file name.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DriveOptions, runScript } from "./drive-call.ts";
import { fillObject } from "./fill.ts";
import type { Observation } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import type { Row } from "./row.ts";
import type { Script } from "./script.ts";

export async function driveTerminal<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const filled = fillObject({ text: row.arguments ?? "" }, place.values);
  const script = scriptFor(String(filled["text"]), place);
  const seen = await runScript(row, place, script, options);
  const renderMs = seen.callMs === undefined ? {} : { renderMs: Math.round(seen.callMs) };
  return await look({ ...seen, found: { ...seen.found, ...renderMs } });
}

function scriptFor(text: string, place: Place): Script {
  writeFileSync(join(place.ws, "shown.txt"), `${text}\n`);
  const name = text.replaceAll("/", "_").replaceAll("\0", "");
  const listed = Buffer.byteLength(name) < 250;
  if (listed) writeFileSync(join(place.ws, name), "x\n");
  const main = call("read_file", { path: "shown.txt" });
  const iterations = [
    [main],
    [{ ...call("bash", { command: `touch shown; echo '${text}' # ${text}` }), answer: "once" as const }],
    [{ ...call("write_file", { path: "written.txt", content: `${text}\n` }), answer: "deny" as const }],
    [call("ls", { path: "." })],
    [{ ...call("read_file", { path: listed ? name : "absent.txt" }), answer: "once" as const }],
    [call(`read_file${text.slice(0, 200)}`, {})],
  ];
  return { iterations, main, before: 0, says: text };
}

function call(name: string, args: { readonly [key: string]: string }) {
  return { name, argumentsText: JSON.stringify(args) };
}
