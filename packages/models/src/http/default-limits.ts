/**
 * The default maximum length of one answer, in characters: about a million tokens, which no model writes in one answer.
 */
export const defaultAnswerChars = 4 * 1024 * 1024;

export const defaultFirstTokenMs = 30 * 60_000;
