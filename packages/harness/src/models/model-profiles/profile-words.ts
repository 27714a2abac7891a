/** Describes the profile of a model in words, with the source of each part. */
import { countText, tokensText } from "@localharness/protocol";
import type { ChosenSampling } from "./open-tuning.ts";
import type { OwnProfile } from "./own-profile.ts";
import { type ProfileInUse, profileInUse } from "./profile-in-use.ts";
import type { TriedProfile } from "./tried-profile.ts";

export interface ProfileSources {
  /** The findings of `localharness doctor`; undefined if the model was not tried. */
  readonly tried: TriedProfile | undefined;
  /** The person's setting `profiles`. */
  readonly own: OwnProfile | undefined;
  readonly sampling: ChosenSampling;
}

/** Returns what the profile changes, with the source of each part; undefined if nothing is known about the model. */
export function profileWords({ tried, own, sampling }: ProfileSources): string | undefined {
  const parts = [
    own === undefined ? undefined : `your setting: ${wordsOf(profileInUse(undefined, own))}`,
    tried === undefined ? undefined : `tried by the doctor: ${wordsOf(profileInUse(tried))}`,
    sampling.source === "server" ? undefined : `sampling, ${samplingWords(sampling)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("; ");
}

function wordsOf({ tuning, edit, toolSet }: ProfileInUse): string {
  const { toolCalls, format, startsInReasoning, window, nudges } = tuning;
  const inFormat = format === undefined ? "" : ` (${format})`;
  const parts = [
    toolCalls === "text" ? `calls as text${inFormat}` : undefined,
    startsInReasoning === true ? "answers begin in a thought" : undefined,
    window === undefined ? undefined : `sees ${tokensText(window)} tokens`,
    { text: undefined, lines: "edits by line", file: "whole files" }[edit],
    toolSet === "minimal" ? "few tools" : undefined,
    nudges === undefined ? undefined : `asked to go on ${countText(nudges, "time")}`,
  ].filter((part) => part !== undefined);
  return parts.join(", ") || "nothing to set";
}

const sourceWords = { setting: "your setting", maker: "the maker's", server: "the server's own" } as const;

/** Returns the sampling with its source: `the maker's: temperature 0.6, top_p 0.95`. */
export function samplingWords({ values, source }: ChosenSampling): string {
  const named = Object.entries(values ?? {}).map(([name, value]) => `${name} ${value}`);
  return `${sourceWords[source]}${named.length === 0 ? "" : `: ${named.join(", ")}`}`;
}
