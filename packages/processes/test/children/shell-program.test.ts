import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellArguments } from "../../src/children/shell-program.ts";

test.runIf(process.platform !== "win32").each(["-x", "echo \"$0\" '$1' `echo 2`"])(
  "passes %j on as it is",
  (command) => {
    const { program, args } = shellArguments(command);
    expect(args.slice(-3)).toEqual(["-c", "--", command]);
    expect(program).toBe("/bin/sh");
  },
);

test.runIf(process.platform !== "win32")(
  "brings errors in the order of the output, and reads no start-up file",
  () => {
    const { program, args } = shellArguments('echo 1; echo 2 >&2; echo 3; [ -z "$STARTED" ] && echo plain');
    const output = execFileSync(program, args, {
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin", HOME: "/tmp" },
    });
    expect(output).toBe("1\n2\n3\nplain\n");
  },
);
