/** Reads the instructions file of a folder that another machine lends, as a resource: the rules there decide about it. */
import { pathToFileURL } from "node:url";
import type { Link } from "@localharness/mcp/elsewhere";
import { isJsonObject } from "@localharness/protocol";
import { instructionNames, type ProjectFile } from "../prompt/instructions/read-instructions.ts";

/** Resolves to the first file of `instructionNames` that may be read there; undefined if there is none. Never rejects. */
export async function instructionsThere(
  { look }: Pick<Link, "look">,
  root: string,
): Promise<ProjectFile | undefined> {
  const found = await Promise.all(
    instructionNames.map(async (name) => {
      const uri = pathToFileURL(`${root}/${name}`).href;
      const { contents } = await look("resources/read", { uri }).catch(() => ({ contents: undefined }));
      const [one] = Array.isArray(contents) ? contents : [];
      const text = isJsonObject(one) ? one["text"] : undefined;
      return typeof text === "string" ? { name, bytes: Buffer.from(text) } : undefined;
    }),
  );
  return found.find((file) => file !== undefined);
}
