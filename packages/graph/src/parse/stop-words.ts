/** Words of a question that say nothing about code. */

const words = new Set(
  `a an and any are as at be been between both by can code could do does done file files find for from get gets goes had has
  have how if in into is it its line lines made make makes may me much must no not of on or our part parts places place
  program project put say says see shall show shows should so some than that the their them then there these they this
  those to up us use used uses was we were what when where which who whose why will with would you`.split(
    /\s+/,
  ),
);

export function isStopWord(word: string): boolean {
  return words.has(word);
}
