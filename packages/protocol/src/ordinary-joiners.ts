/**
 * Distinguishes invisible characters that emoji and some scripts need (joiners, variation selectors) from invisible characters
 * that hide something.
 */

const letters =
  "Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan";
const joins = letters
  .split(" ")
  .map((name) => `\\p{Script=${name}}`)
  .join("");

/**
 * The source of a regular expression (flag `u`) for invisible characters that ordinary text needs: joiners and variation
 * selectors in emoji, and single joiners after letters of scripts that use them.
 */
export const ordinaryJoiners: string = [
  "(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})\\ufe0f",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  `(?<=[${joins}])[\\u200c\\u200d]`,
].join("|");
