/** Unites what is known about a model. The person's settings take precedence over the findings of the doctor. */
import type { ModelTuning } from "@localharness/models";
import { defined } from "@localharness/protocol";
import type { OwnProfile } from "./own-profile.ts";
import type { EditForm, ToolSet, TriedProfile } from "./tried-profile.ts";

/** The parts of a session that depend on what is known about its model. */
export interface ProfileInUse {
  readonly tuning: Omit<ModelTuning, "sampling">;
  readonly edit: EditForm;
  readonly toolSet: ToolSet;
}

/**
 * The number of times that a turn asks the model to go on, if the model is known to announce steps without taking them.
 */
const moreNudges = 3;

export function profileInUse(tried: TriedProfile | undefined, own: OwnProfile = {}): ProfileInUse {
  const nudges = own.nudges ?? (tried?.announces === true ? moreNudges : undefined);
  return {
    tuning: {
      ...tried?.tuning,
      ...defined({
        toolCalls: own.tool_calls,
        format: own.format,
        startsInReasoning: own.starts_in_reasoning,
        window: own.window,
        nudges,
        readsPerSecond: tried?.readsPerSecond,
      }),
    },
    edit: own.edits ?? tried?.edit ?? "text",
    toolSet: own.tools ?? tried?.toolSet ?? "standard",
  };
}
