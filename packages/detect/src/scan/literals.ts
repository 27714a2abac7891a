/** A prefix tree over literals: finds the longest literal at a place in one walk, or says that more text is needed. */

interface Node<T> {
  readonly next: Map<number, Node<T>>;
  value: T[] | undefined;
}

export interface LiteralMatch<T> {
  readonly length: number;
  readonly values: readonly T[];
}

/** Literals with their values; several values may share one literal. */
export interface Literals<T> {
  /** The longest literal at the index; undefined for none; "more" when the text ends where a longer one is possible. */
  match(text: string, index: number, ended: boolean): LiteralMatch<T> | "more" | undefined;
  /** Whether some literal begins with this character code. */
  starts(code: number): boolean;
}

export function literals<T>(entries: Iterable<readonly [string, T]>): Literals<T> {
  const root: Node<T> = { next: new Map(), value: undefined };
  for (const [literal, value] of entries) insert(root, literal, value);
  return {
    starts: (code) => root.next.has(code),
    match(text, index, ended) {
      let node: Node<T> = root;
      let best: LiteralMatch<T> | undefined;
      for (let at = index; ; at++) {
        if (node.value) best = { length: at - index, values: node.value };
        if (node.next.size === 0) return best;
        if (at >= text.length) return ended ? best : "more";
        const next = node.next.get(text.charCodeAt(at));
        if (next === undefined) return best;
        node = next;
      }
    },
  };
}

function insert<T>(root: Node<T>, literal: string, value: T): void {
  let node = root;
  for (let index = 0; index < literal.length; index++) {
    const code = literal.charCodeAt(index);
    let next = node.next.get(code);
    if (next === undefined) {
      next = { next: new Map(), value: undefined };
      node.next.set(code, next);
    }
    node = next;
  }
  if (node.value) node.value.push(value);
  else node.value = [value];
}
