/** Checks a server that does not start: the error has its last output, and no process is left. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startModelServer } from "./model-server.ts";

const folder = mkdtempSync(join(tmpdir(), "lh-server-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { modelFile: join(folder, "none.gguf"), alias: "none", contextSize: 512 };

test("a server that ends before it has loaded is reported with its last output", async () => {
  const program = join(folder, "broken-server");
  writeFileSync(program, '#!/bin/sh\necho "cannot open $2" >&2\nexit 3\n');
  chmodSync(program, 0o755);
  await expect(startModelServer([program], options)).rejects.toThrow(
    `${program} ended with 3. It said last:\ncannot open ${options.modelFile}`,
  );
});

test("a missing program is reported", async () => {
  const program = join(folder, "nothing");
  await expect(startModelServer([program], options)).rejects.toThrow(
    /nothing could not be started: .*ENOENT/,
  );
});
