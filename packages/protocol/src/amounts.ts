/** Formats sizes, times and tokens for people. */
import type { ModelPhase, PhaseOfCall, PromptProgress } from "./model-event.ts";

/** Returns a size in decimal units (1 KB is 1,000 bytes): `820 B`, `12.3 KB`, `1.5 MB`, `4.7 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} KB`;
  if (bytes < 999_950_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Returns a duration: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function timeText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns a number of tokens, from 1,000 on in thousands: `820`, `8.2k`, `33k`. */
export function tokensText(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(tokens < 9_950 ? 1 : 0)}k`;
}

/** Returns the progress as a line: `reading the prompt: 3,200 of 12,000 tokens, 800 from cache`. */
export function promptProgressText({ totalTokens, cachedTokens, doneTokens }: PromptProgress): string {
  const cached = cachedTokens > 0 ? `, ${grouped(cachedTokens)} from cache` : "";
  return `reading the prompt: ${grouped(doneTokens)} of ${grouped(totalTokens)} tokens${cached}`;
}

/** The minimum `expectedMs` with which the share is shown, because a shorter phase ends before anyone reads it. */
const minExpectedMs = 2_000;

/**
 * Returns a phase as a line, `ms` milliseconds after it has begun: `reading the prompt: about 40 % of 12,000 tokens`. The
 * share is estimated from `expectedMs`. It is shown only in the phase `reading`, and only if `tokens` is known and
 * `expectedMs` is at least `minExpectedMs`.
 */
export function phaseText({ phase, tokens, expectedMs }: PhaseOfCall, ms: number): string {
  if (phase !== "reading" || tokens === undefined || expectedMs === undefined || expectedMs < minExpectedMs) {
    return phaseWords[phase];
  }
  const share = Math.min(99, Math.floor((100 * ms) / expectedMs));
  return `${phaseWords.reading}: about ${share} % of ${grouped(tokens)} tokens`;
}

const phaseWords: Readonly<Record<ModelPhase, string>> = {
  connecting: "connecting to the server",
  loading: "the server loads the model",
  reading: "reading the prompt",
  thinking: "thinking",
  writing: "answering",
};

function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Returns an age, given in milliseconds, in words: `just now`, `5 min ago`, `3 h ago`, `4 days ago`. */
export function agoText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
