/** Distinguishes joiners and variation selectors in ordinary text from those that may hide something. */

const letters =
  "Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan";
const joins = letters
  .split(" ")
  .map((name) => `\\p{Script=${name}}`)
  .join("");

/**
 * The source of a pattern (flag `u`) for joiners and variation selectors in ordinary text: in emoji, and single ones
 * after letters of scripts that join.
 */
export const ordinaryJoiners: string = [
  "(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})\\ufe0f",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  `(?<=[${joins}])[\\u200c\\u200d]`,
].join("|");
