/** Keeps which rights a server asks for during a session, so that the next sign-in asks for them. */
import type { InsufficientScopeError } from "@modelcontextprotocol/client";
import type { ServerEntry } from "../config/entry.ts";
import { expandEntry } from "../config/expand.ts";
import { boundedChallenge } from "./challenge.ts";
import type { SignIns } from "./sign-ins.ts";

/**
 * Saves the rights that the server asks for. Never rejects: if they cannot be saved, the next sign-in asks for the
 * rights that the server names then.
 */
export async function keepChallenge(
  { requiredScope, resourceMetadataUrl }: InsufficientScopeError,
  entry: ServerEntry,
  parts: { readonly signIns: SignIns; readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<void> {
  const expanded = expandEntry(entry, parts.environment);
  if (!expanded.ok || expanded.entry.kind !== "address") return;
  const { name: server, url } = expanded.entry;
  const kept = await parts.signIns.find(server, url);
  const wanted = boundedChallenge(requiredScope, resourceMetadataUrl);
  await parts.signIns.save({ ...kept, server, url, wanted }).catch(() => undefined);
}
