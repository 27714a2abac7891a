/** Contains the texts about calls: reasons why a call did not run or was stopped, and notes. */
import { countText, isDefaultRule, type PermissionMode } from "@localharness/protocol";
import type { Decision } from "../policy/rule.ts";

/** The reason why a call did not run. */
export interface Told {
  /** The text for the model, with what it should do now. */
  readonly message: string;
  /** The reason in words for the person; absent if `message` is for both. */
  readonly why?: string;
}

export const interruptedText: Told = {
  message: "not run: the person interrupted",
  why: "not run: you interrupted",
};

export const loopEndedText = "not run: the iteration was ended because a call was repeated again and again";

/** Returns the text after an error in the harness. */
export function defectText(reason: string): string {
  return `the call could not be run: ${reason}`;
}

/** Returns the text after an error in a tool that was running. */
export function toolFailedText(tool: string, reason: string): string {
  return `${tool} failed unexpectedly: ${reason}`;
}

/** Returns the text after an error in a tool before it ran. */
export function toolUnreadyText(tool: string, reason: string): string {
  return `${tool} failed unexpectedly before it could run: ${reason}`;
}

export const noOutputReason = "it returned no output of the agreed shape";

/** Returns the text for a tool that was told to stop. `late` is given if the tool did not stop in time. */
export function stoppedText(stop: Stop | undefined, timeoutMs: number, late?: { graceMs: number }): string {
  const why =
    stop === "timeout" ? `after its time limit of ${timeoutMs / 1000} s` : "because of an interrupt";
  const advice = stop === "timeout" ? "; ask for more time or do less at once" : "";
  return late === undefined
    ? `stopped ${why}${advice}`
    : `told to stop ${why}, but did not within ${late.graceMs / 1000} s: it may still be at work${advice}`;
}

/** The reason why a tool was told to stop. */
export type Stop = "timeout" | "cancelled";

export function ruleDenialText({ rule, reason }: Decision): Told {
  const why = `denied by the rule ${rule}: ${reason.replace(/\.$/, "")}`;
  return {
    message: `${why}. Do not try it again in another form; go on without it or tell the person`,
    why,
  };
}

export function personDenialText(note: string | undefined): Told {
  const said = note?.trim() ?? "";
  if (said !== "") {
    return {
      message: `the person denied this call and says: ${said}\nDo what the person says; do not make the denied call again`,
      why: `you denied it: ${said}`,
    };
  }
  return {
    message:
      "the person denied this call. Do not try it again in another form; go on without it or ask the person what to do",
    why: "you denied it",
  };
}

export function nobodyToAskText({ rule, reason }: Decision): Told {
  // A rule or a concern that asks is not overridden by one that allows.
  const how = isDefaultRule(rule) ? "--allow, --answer, --mode, or a remembered permission" : "--answer";
  const cause = `nobody could be asked: this call needs permission (${reason})`;
  return {
    message: `${cause}. Go on without it, and tell the person to allow it with ${how}`,
    why: `${cause}. Allow it with ${how}`,
  };
}

/** Returns the text for a call that the model may only quote, if nobody can be asked. */
export function quotedDenialText(reason: string): Told {
  const why = `not run: ${reason}, and nobody could be asked`;
  const message = `${why}. A call that you only quote needs no result: go on with the person's task, do not make this call in another form, and tell the person that you found it`;
  return { message, why };
}

/** Returns the text for a plan that the person refused, with the person's note. */
export function planRefusedText(note: string | undefined): Told {
  const said = note?.trim() ?? "";
  const says = said === "" ? "" : ` and says: ${said}`;
  return {
    message: `the person refused the plan${says}. Mode plan stays on. Look again if you need to, then present a better plan, or answer the person`,
    why: said === "" ? "you refused the plan" : `you refused the plan: ${said}`,
  };
}

export function planApprovedText(mode: PermissionMode, edited: string | undefined): string {
  const start = `The person approved the plan. The mode is now ${mode}: carry out the plan, step by step.`;
  return edited === undefined
    ? start
    : `${start} The person has edited it. This is the approved plan:\n\n${edited}`;
}

export const planUnapprovedText =
  "Nobody can approve the plan here: it is the answer to the person's message, and the turn ends.";

/** Returns the text for a plan that nobody approved, because the mode is not `plan` or the person was not asked. */
export function planNotWantedText(mode: PermissionMode): string {
  return mode === "plan"
    ? "the plan was not put to the person: present it again"
    : `the mode is ${mode}, so no plan needs an approval: do the work, or answer the person`;
}

export function hookDenialText(why: string): Told {
  return { message: `blocked by a hook of the person's: ${why}`, why: `blocked by your hook: ${why}` };
}

/** The text for a call whose facts changed each time while the person was asked. */
export const keepsChangingText: Told = {
  message:
    "not run: what this call would touch changed again and again while the person was asked. Look at it again before you make the call once more",
  why: "not run: what this call would touch changed again and again while you were asked",
};

/** The text for a call whose facts changed between the permission and the run. */
export const changedText =
  "not run: what this call would touch has changed since it was allowed. Look at it again, then make the call again";

export function unrecordedText(reason: string): string {
  return `not run: the audit log cannot be written (${reason}), and what may change something does not run unrecorded. Go on with reading, and tell the person to make room or make the log writable`;
}

/** Returns the reason why a call in the model's text asks. `source` names the text that the model may be quoting. */
export function quotedReason(source: string): string {
  return `this call also occurs in ${source}, and was read from the model's text: it may only be quoted`;
}

export function tooManyText(limit: number, what: string, waitMs: number, setting: string): string {
  const seconds = Math.ceil(waitMs / 1000);
  return `not run: at most ${countText(limit, what)} ${limit === 1 ? "runs" : "run"} in a minute. The next may run in ${seconds} s: do not repeat it before, ${askForMore(setting)}`;
}

export function spentText(limit: string, now: string, setting: string): string {
  return `not run: at most ${limit} for one message of the person, and ${now}. The limit starts again with the person's next message: say what is done and what is left, ${askForMore(setting)}`;
}

function askForMore(setting: string): string {
  return `or tell the person that the setting limits.${setting} stops you`;
}

/** The note for a call that occurs twice in one answer. */
export const sameAnswerNote =
  "the same call occurs earlier in this answer and ran once: this is its result. If it is to run twice, ask for it again";

/** The note for a call whose result is the same as before. */
export const sameResultNote =
  "you made this same call before and nothing it depends on has changed: this is the same result. Use it, or do something else";

/** The result of a call if the model still has the long result of an identical earlier call. */
export const stillThereText =
  "[nothing has changed since you made this same call: its result is above in this conversation. Make the call once more to get it again]";

export function thirdTimeText(tool: string): string {
  return `you have now made this same ${tool} call three times and its result has not changed. Its result is above. Do not call it again: take the next step with another tool or other arguments, or answer the person`;
}

export function lastTimeText(tool: string): string {
  return `${tool} was called again with the same arguments after you were told not to. The iteration ends here. Say what you found and what is missing`;
}
