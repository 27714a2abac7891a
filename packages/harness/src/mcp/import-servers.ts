/** Finds the MCP servers that are configured for other programs of the person. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readEntries, type ServerEntry } from "@localharness/mcp/config";
import { reasonOf } from "@localharness/protocol";

export interface ProgramServers {
  /** The program to which the file belongs. */
  readonly program: string;
  readonly path: string;
  readonly entries: readonly ServerEntry[];
  readonly problems: readonly string[];
}

/** The programs, with the paths of their files below the home folder. */
const programs: readonly { readonly program: string; readonly paths: readonly string[] }[] = [
  { program: "Claude Code", paths: [".claude.json"] },
  { program: "Cursor", paths: [".cursor/mcp.json"] },
  {
    program: "VS Code",
    paths: [
      ".config/Code/User/mcp.json",
      "Library/Application Support/Code/User/mcp.json",
      "AppData/Roaming/Code/User/mcp.json",
    ],
  },
  { program: "LM Studio", paths: [".lmstudio/mcp.json"] },
];

/** Returns the configuration files that exist and name servers or cannot be read. */
export function findServers(home: string = homedir()): readonly ProgramServers[] {
  const files = programs.flatMap(({ program, paths }) =>
    paths.map((path) => ({ program, path: join(home, path) })).filter(({ path }) => existsSync(path)),
  );
  return files.map((file) => ({ ...file, ...read(file.path) })).filter(hasContent);
}

function read(path: string): Pick<ProgramServers, "entries" | "problems"> {
  try {
    return readEntries(readFileSync(path, "utf8"));
  } catch (error) {
    return { entries: [], problems: [reasonOf(error)] };
  }
}

/** Returns false for a file without servers, such as a file with other settings, which is not worth a message. */
function hasContent({ entries, problems }: ProgramServers): boolean {
  return entries.length > 0 || problems.some((problem) => !problem.startsWith("expected an object"));
}
