/** Links that are opened in the person's browser, and the reason when that fails. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { openLink } from "../../src/children/open-link.ts";
import { outsidePrograms } from "../../src/children/outside-programs.ts";

const link = "https://x.test/";

test.each<[string, string, string, string | undefined]>([
  ["opens the link", link, `#!/bin/sh\ntest "$1" = ${link} && test $PWD = /\n`, undefined],
  ["fails", link, "#!/bin/sh\nexit 3\n", "opener ended with exit code 3"],
  ["is ended", link, "#!/bin/sh\nkill -9 $$\n", "opener ended with SIGKILL"],
  ["has no interpreter", link, "#!/no/such/shell\n", "opener could not be started (ENOENT)"],
  ["cannot get the link", `${link}\0`, "#!/bin/sh\n", "opener could not be started (ERR_INVALID_ARG_VALUE)"],
])("an opener that %s", async (_, opened, script, reason) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "opener"), script, { mode: 0o755 });
  const where = { source: { PATH: folder }, outside: outsidePrograms(folder, []) };
  expect(await openLink({ link: opened, opener: "opener", ...where })).toBe(reason);
});
