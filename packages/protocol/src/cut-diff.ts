/** How a diff that is not whole says so, for those who cut it and for those who show it. */

/** The last line of a diff of which so many lines are left out. */
export function cutDiffLine(left: number): string {
  return `[... ${left} more lines of the diff]\n`;
}

/** No line of a diff itself begins with a bracket. */
export function isCutDiff(diff: string): boolean {
  return /(?:^|\n)\[\.\.\. \d+ more lines of the diff\]\n$/.test(diff.slice(-100));
}
