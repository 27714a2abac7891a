/** Writes the notes with which the model learns about folders that the person adds to a session, or takes away. */
import type { SessionEvent } from "@localharness/protocol";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { instructionSection } from "../../prompt/instructions/instructed-prompt.ts";
import { readInstructions } from "../../prompt/instructions/read-instructions.ts";
import type { Trust } from "../trust/settle-trust.ts";

export interface FolderNote {
  readonly text: string;
  /** Warnings for the person about the instructions. */
  readonly warnings: readonly string[];
}

/** Resolves to the note about an added folder, with the instructions of a trusted one. Never rejects. */
export async function addedNote(root: string, trust: Trust, maxBytes: number): Promise<FolderNote> {
  const reads =
    trust === "reading" ? " It is not trusted: it is only read, and nothing in it may be changed." : "";
  const text = `${named(root)} File tools, searches and commands reach it by its absolute path, under the same rules as the workspace. Relative paths still mean the workspace.${reads}`;
  if (trust !== "full") return { text, warnings: [] };
  const folder = await openWorkspace(root).catch(() => undefined);
  if (folder === undefined) return { text, warnings: [] };
  try {
    const { parts, warnings } = await readInstructions({ folder: undefined, workspace: folder, maxBytes });
    const sections = parts.map((part) => instructionSection({ ...part, name: nameOf(root, part.name) }));
    return { text: [text, ...sections].join("\n"), warnings: warnings.map((one) => `${root}: ${one}`) };
  } finally {
    folder.close();
  }
}

export function removedNote(root: string): string {
  return `The person took the folder ${JSON.stringify(root)} away from this session: it can no longer be reached.`;
}

export function goneNote(root: string): string {
  return `The folder ${JSON.stringify(root)}, which this session had beside the workspace, is gone.`;
}

/** Returns true if the last note about the folder told the model that the session has it. */
export function wasTold(events: readonly SessionEvent[], root: string): boolean {
  const last = events.findLast(
    (event) =>
      event.type === "user-message" &&
      event.from === "harness" &&
      [named(root), removedNote(root), goneNote(root)].some((text) => event.content.startsWith(text)),
  );
  return last?.type === "user-message" && last.content.startsWith(named(root));
}

function named(root: string): string {
  return `The person added the folder ${JSON.stringify(root)} to this session.`;
}

/** Returns the name of a file of the folder, without signs that would end the name in its tag. */
function nameOf(root: string, name: string): string {
  return `${root}/${name}`.replaceAll(/["<>\n\r]/g, "_");
}
