/** The invariants that must hold after every case, whatever its row says. */
import { shownArguments } from "../observation.ts";
import { firedCanaries, snapshot } from "../place.ts";
import { drawn } from "../screen.ts";
import { brief, type Checks } from "./check.ts";
import { steering } from "./screen-checks.ts";
import { keyLeaks } from "./traces.ts";

/** Invisible characters: controls, format characters and line separators, but not tab, line feed and carriage return. */
const hidden = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export const invariants: Checks = {
  canary(seen) {
    const fired = firedCanaries(seen.place.root);
    if (snapshot("/PWNED") !== "absent") fired.push("/PWNED");
    return fired.length === 0 ? undefined : `something ran that nobody allowed: ${fired.join(", ")}`;
  },
  hang: (seen) => (seen.ended.hung ? "the program hung and was killed" : undefined),
  crash(seen) {
    const text = `${seen.errors}\n${seen.screen}`;
    const trace = /^\s+at .*\(?(node:|file:|\/).*:\d+:\d+\)?$|TypeError|RangeError|ReferenceError/m.exec(
      text,
    );
    return trace === null
      ? undefined
      : `the program reported an internal error: ${brief(text.slice(trace.index))}`;
  },
  screen: (seen) => steering(seen.screen),
  key(seen) {
    const leaks = keyLeaks(seen);
    return leaks.length === 0 ? undefined : `the key leaked into ${leaks.join(", ")}`;
  },
  question(seen) {
    for (const asked of seen.asked) {
      if (hidden.test(asked.text.replace(drawn, ""))) {
        return `it contains invisible characters: ${brief(asked.text)}`;
      }
      if (shownArguments(asked.text) === undefined) {
        return `its arguments cannot be read: ${brief(asked.text)}`;
      }
    }
    return undefined;
  },
};
