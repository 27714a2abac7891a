/** Detects answers that announce a step but make no call for it. */

const step =
  /^(?:(?:ok(?:ay)?|alright|great|sure|now|next|first|then|so|certainly)[,.!:]?\s+)*(?:let me|let's|let us|i'll|i’ll|i will|i am going to|i'm going to|i’m going to|i need to|i should)\s+(?:now\s+|first\s+|next\s+|then\s+|also\s+|start by\s+|begin by\s+|quickly\s+|go ahead and\s+)*([a-z]+)/i;

const verbs = new Set(
  (
    "read check look open search run create write edit update list examine inspect explore find view see start starting " +
    "fix implement add call use try make modify execute test grep verify review analyze analyse fetch get take commit remove " +
    "reading checking looking opening searching running creating writing editing listing examining"
  ).split(" "),
);

const waitsForPerson =
  /\?\s*$|\blet me know\b|\bif you(?:'d| would)? like\b|\bshould i\b|\bwould you\b|\bonce you\b|\bplease (?:provide|tell|confirm|share)\b/i;

/** Returns true if the text is empty, or if its last sentence announces an action and does not wait for the person. */
export function announcesStep(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === "") return true;
  const last = lastSentence(trimmed);
  if (last.length > 300 || waitsForPerson.test(last)) return false;
  const verb = step.exec(last)?.[1]?.toLowerCase();
  return verb !== undefined && verbs.has(verb);
}

function lastSentence(text: string): string {
  const lastLine =
    text
      .slice(-1000)
      .split("\n")
      .findLast((line) => line.trim() !== "") ?? "";
  const sentences = lastLine.trim().split(/(?<=[.!?…:])\s+(?=[A-Z"'*])/);
  return (sentences.at(-1) ?? "").replace(/^[\s>*_#-]+/, "");
}
