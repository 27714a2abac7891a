/**
 * Tests the sandbox with a command that tries to leave it. The command prints a line for each attempt that succeeds, and at
 * its end the line `ran`.
 */

interface Attempt {
  /** The ability that the command has if this attempt succeeds. */
  readonly problem: string;
  /** Shell text that succeeds only outside of the sandbox. It makes no lasting change. */
  readonly script: string;
}

const attempts: readonly Attempt[] = [
  {
    problem: "could write to the home folder",
    script: '(: > "$HOME/.localharness-sandbox-test") && rm -f "$HOME/.localharness-sandbox-test"',
  },
  {
    problem: "could change a setting of the kernel",
    script: 'p=$(cat /proc/sys/kernel/core_pattern) && printf "%s\\n" "$p" > /proc/sys/kernel/core_pattern',
  },
  {
    problem: "could write to /sys",
    script: "find /sys -maxdepth 4 -type f -writable | grep -q .",
  },
  {
    problem: "had capabilities",
    script: "grep -Eq 'Cap(Eff|Prm|Amb|Inh):.*[1-9a-f]' /proc/self/status",
  },
  {
    // A bounding set with capabilities is harmless by itself: only a program that gains privileges at its start could
    // use it.
    problem: "could gain capabilities",
    script: "grep -Eq 'CapBnd:.*[1-9a-f]' /proc/self/status && ! grep -Eq 'NoNewPrivs:.*1' /proc/self/status",
  },
];

export const sandboxTrial = [
  ...attempts.map(({ script }, index) => `{ ${script}; } >/dev/null 2>&1 && echo open${index}`),
  "echo ran",
].join("\n");

/**
 * Returns in words which attempts succeeded, by the output of the command; undefined if none did. Returns the output itself
 * if the command did not run to its end.
 */
export function trialProblem(output: string): string | undefined {
  const lines = output.split("\n");
  if (!lines.includes("ran")) return output;
  const open = attempts.filter((_attempt, index) => lines.includes(`open${index}`));
  return open.length === 0 ? undefined : `a command ${open.map(({ problem }) => problem).join(", ")}`;
}
