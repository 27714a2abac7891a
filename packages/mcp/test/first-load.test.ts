/** Checks what the first prompt of a session with known servers loads. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const script = (entry: string) => `
  const seen = [];
  require("node:module").registerHooks({
    resolve(name, context, next) {
      const found = next(name, context);
      seen.push(found.url);
      return found;
    },
  });
  import(${JSON.stringify(entry)}).then(() => console.log(JSON.stringify(seen)));
`;

test("the library of the protocol is not loaded before a server starts", () => {
  const entry = pathToFileURL(join(import.meta.dirname, "..", "src", "index.ts")).href;
  const loaded: string[] = JSON.parse(
    execFileSync(process.execPath, ["-e", script(entry)], { encoding: "utf8" }),
  );
  expect(loaded.filter((url) => url.endsWith("/mcp/src/servers/server.ts"))).not.toEqual([]);
  expect(loaded.filter((url) => url.includes("@modelcontextprotocol"))).toEqual([]);
});
