/** What must hold after any case, whatever its row says. */
import { shownArguments } from "../observation.ts";
import { firedCanaries, snapshot } from "../place.ts";
import { drawn } from "../screen.ts";
import { brief, type Checks } from "./check.ts";
import { steering } from "./screen-checks.ts";
import { keyLeaks } from "./traces.ts";

/** Formats, separators and controls that leave no mark of their own. */
const hidden = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export const invariants: Checks = {
  canary(seen) {
    const fired = firedCanaries(seen.place.root);
    if (snapshot("/PWNED") !== "absent") fired.push("/PWNED");
    return fired.length === 0 ? undefined : `something ran that nobody allowed: ${fired.join(", ")}`;
  },
  hang: (seen) => (seen.ended.hung ? "the program had to be ended" : undefined),
  crash(seen) {
    const text = `${seen.errors}\n${seen.screen}`;
    const trace = /^\s+at .*\(?(node:|file:|\/).*:\d+:\d+\)?$|TypeError|RangeError|ReferenceError/m.exec(
      text,
    );
    return trace === null ? undefined : `a defect came to light: ${brief(text.slice(trace.index))}`;
  },
  screen: (seen) => steering(seen.screen),
  key(seen) {
    const leaks = keyLeaks(seen);
    return leaks.length === 0 ? undefined : `the key came out in ${leaks.join(", ")}`;
  },
  question(seen) {
    for (const asked of seen.asked) {
      if (hidden.test(asked.text.replace(drawn, ""))) return `it hides something: ${brief(asked.text)}`;
      if (shownArguments(asked.text) === undefined)
        return `its arguments cannot be read: ${brief(asked.text)}`;
    }
    return undefined;
  },
};
