/** Finds the longest literal that begins at an index of a text, or reports that more text is needed. Uses a prefix tree. */

/** A node of the tree. Most nodes have one child, which is stored in the node because a map costs many times as much to build. */
interface Node<T> {
  code: number;
  child: Node<T> | undefined;
  others: Map<number, Node<T>> | undefined;
  match: { readonly length: number; readonly values: T[] } | undefined;
}

export interface LiteralMatch<T> {
  readonly length: number;
  readonly values: readonly T[];
}

/** Literals with their values; several values may share one literal. */
export interface Literals<T> {
  /** Returns the longest literal at the index, or undefined; "more" if more text may change that and `ended` is false. */
  match(text: string, index: number, ended: boolean): LiteralMatch<T> | "more" | undefined;
}

export function literals<T>(entries: Iterable<readonly [string, T]>): Literals<T> {
  const root = newNode<T>();
  for (const [literal, value] of entries) insert(root, literal, value);
  return {
    match(text, index, ended) {
      let node: Node<T> = root;
      let best: LiteralMatch<T> | undefined;
      for (let at = index; ; at += 1) {
        if (node.match) best = node.match;
        if (node.child === undefined) return best;
        if (at >= text.length) return ended ? best : "more";
        const next = follow(node, text.charCodeAt(at));
        if (next === undefined) return best;
        node = next;
      }
    },
  };
}

function newNode<T>(): Node<T> {
  return { code: -1, child: undefined, others: undefined, match: undefined };
}

function follow<T>(node: Node<T>, code: number): Node<T> | undefined {
  return node.code === code ? node.child : node.others?.get(code);
}

function insert<T>(root: Node<T>, literal: string, value: T): void {
  let node = root;
  for (let index = 0; index < literal.length; index += 1) {
    const code = literal.charCodeAt(index);
    let next = follow(node, code);
    if (next === undefined) {
      next = newNode<T>();
      if (node.child === undefined) {
        node.code = code;
        node.child = next;
      } else {
        node.others ??= new Map();
        node.others.set(code, next);
      }
    }
    node = next;
  }
  if (node.match) node.match.values.push(value);
  else node.match = { length: literal.length, values: [value] };
}
