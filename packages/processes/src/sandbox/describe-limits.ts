/** Says in one sentence what the sandbox closes for commands. */
import { hiddenHomes } from "./home/hidden-homes.ts";
import { outerRepository } from "./outer-repository.ts";
import type { SandboxRules, SandboxState } from "./sandbox.ts";

function listed(places: readonly string[]): string {
  const rest = places.slice(0, -1).join(", ");
  return rest === "" ? (places[0] ?? "") : `${rest} and ${places.at(-1)}`;
}

export function describeLimits(state: SandboxState, rules: SandboxRules): string {
  switch (state.kind) {
    case "off":
      return "no sandbox: a command can do all that you can do";
    case "absent":
      return `NO SANDBOX: ${state.problem}. A command can do all that you can do`;
    case "on": {
      const network =
        rules.domains.length === 0
          ? "no network unless you allow it"
          : `network: ${rules.domains.join(", ")} and nothing else unless you allow it`;
      const ofHome =
        hiddenHomes(rules.workspace).length > 0
          ? "your home folder hidden except for toolchains"
          : "secrets of your home unreadable";
      const isElsewhere = outerRepository(rules.workspace).writable.length > 0;
      const added = (rules.added ?? []).filter(({ writable }) => writable).map(({ root }) => root);
      const places = ["the workspace", ...(isElsewhere ? ["its git repository"] : []), ...added];
      return `sandbox (${state.summary}): writes to ${listed(places)} only, ${network}, ${ofHome}`;
    }
  }
}
