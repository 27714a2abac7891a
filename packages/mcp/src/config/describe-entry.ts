/** Describes an entry to the person who decides whether its server may start. */
import { maskAddresses, maskJudgedAddresses } from "@localharness/protocol";
import type { ServerEntry } from "./entry.ts";
import { variablesIn } from "./expand.ts";

/**
 * Returns lines with the exact command and folder or the address, the names of the headers and of the variables that the
 * server gets or that the entry reads, and the rights of the server.
 */
export function describeEntry(entry: ServerEntry): readonly string[] {
  const reads = variablesIn(entry);
  const sampling =
    entry.sampling === true ? ["may ask for answers of your model; you are asked each time"] : [];
  const read = [
    ...(reads.length === 0 ? [] : [`reads your environment variables: ${reads.join(", ")}`]),
    ...sampling,
  ];
  if (entry.kind === "address") {
    const names = Object.keys(entry.headers);
    return [
      `address: ${maskAddresses(entry.url)}`,
      ...(names.length === 0 ? [] : [`headers: ${names.join(", ")}`]),
      ...(entry.oauth?.clientId === undefined ? [] : [`signs in as the client: ${entry.oauth.clientId}`]),
      ...read,
    ];
  }
  const names = Object.keys(entry.env);
  return [
    `command: ${maskJudgedAddresses([entry.command, ...entry.args].map(quoted).join(" "))}`,
    ...(entry.cwd === undefined ? [] : [`folder: ${entry.cwd}`]),
    ...(names.length === 0 ? [] : [`sets environment variables: ${names.join(", ")}`]),
    ...read,
    entry.sandbox ? "runs in the sandbox" : "runs outside of the sandbox, with your rights",
  ];
}

/** Returns the word as it is, or as JSON text if its beginning and end would not be visible otherwise. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
