/** Makes a failing text small: leaves out smaller and smaller spans, as long as the text still fails. */

/** Returns the smallest failing text that it found. Tries at most `budget` texts; `fails` says if one still fails alike. */
export function minimize(text: string, fails: (text: string) => boolean, budget = 4000): string {
  let smallest = text;
  let tries = 0;
  for (let size = Math.ceil(smallest.length / 2); size >= 1; ) {
    let changed = false;
    for (let at = 0; at < smallest.length; ) {
      if (++tries > budget) return smallest;
      const shorter = smallest.slice(0, at) + smallest.slice(at + size);
      if (fails(shorter)) {
        smallest = shorter;
        changed = true;
      } else {
        at += size;
      }
    }
    if (size === 1 && !changed) return smallest;
    size = size > 1 ? Math.floor(size / 2) : 1;
  }
  return smallest;
}
