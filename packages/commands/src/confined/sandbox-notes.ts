/** Collects the notes about what the sandbox has done to a command. */

import { historyNote } from "@localharness/processes/sandbox/history-note";
import { homeNote } from "@localharness/processes/sandbox/home/home-note";
import { hostNote } from "@localharness/processes/sandbox/host-note";
import type { Sandbox, SandboxedCommand } from "@localharness/processes/sandbox/sandbox";
import { signingNote } from "@localharness/processes/sandbox/signing-note";
import { outsideNote, writeNotes } from "@localharness/processes/sandbox/write-notes";
import { repositoryProblem } from "@localharness/workspace/git-files/repository";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type FailedRequest, networkNote, networkOfCommand } from "./network-note.ts";
import { outsideOffer } from "./sandbox-offers.ts";

/** Returns notes for the model and the person about the network, signatures, the home folder, and places that the command could not write. */
export function sandboxNotes(
  { sandbox, workspace }: { readonly sandbox: Sandbox; readonly workspace: Workspace },
  started: SandboxedCommand,
  request: FailedRequest & { readonly command: string },
): readonly string[] {
  const { output, command, offer } = request;
  if (offer === outsideOffer) return [];
  const refused = request.hosts && hostNote(request.hosts);
  const network = refused === undefined ? networkNote(sandbox, request) : undefined;
  const notes = [
    refused,
    network,
    historyNote(started, output),
    // A hidden key is in the home folder too, and its note says more.
    signingNote(sandbox, output, () => repositoryProblem(workspace) === undefined) ??
      homeNote(workspace.root, started.home, output),
  ];
  const writes = writeNotes(workspace.root, started, output);
  if (network !== undefined && network !== networkOfCommand) sandbox.grants.noteFailure(command, "network");
  else if (writes.includes(outsideNote)) sandbox.grants.noteFailure(command, "writes");
  return [...notes.filter((note) => note !== undefined), ...writes];
}
