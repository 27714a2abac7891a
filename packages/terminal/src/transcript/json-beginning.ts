/** Returns the beginning of a value as JSON, without reading all of a long text or array. */

const maxDepth = 64;

/**
 * Returns `JSON.stringify(value, undefined, indent)`, cut after `most` characters. An ellipsis replaces what is cut, and
 * objects and arrays below `maxDepth` levels. Strings are cut before they are quoted.
 */
export function jsonBeginning(value: unknown, most: number, indent: 0 | 2 = 0): string {
  const pieces: string[] = [];
  let room = most;
  const put = (text: string) => {
    pieces.push(text);
    room -= text.length;
  };
  const putMembers = (marks: string, depth: number, members: Iterable<readonly [string, unknown]>) => {
    const margin = indent === 0 ? "" : `\n${" ".repeat(indent * depth)}`;
    let count = 0;
    put(marks.charAt(0));
    for (const [name, member] of members) {
      if (room <= 0) break;
      put(`${count++ === 0 ? "" : ","}${margin}${indent === 0 ? "" : " ".repeat(indent)}${name}`);
      putValue(member, depth + 1);
    }
    put(`${count === 0 ? "" : margin}${marks.charAt(1)}`);
  };
  const putValue = (given: unknown, depth: number) => {
    if (typeof given === "string") put(JSON.stringify(given.slice(0, Math.max(0, room))));
    else if (typeof given !== "object" || given === null) put(JSON.stringify(given) ?? "null");
    else if (depth > maxDepth) put("…");
    else if (Array.isArray(given)) putMembers("[]", depth, unnamed(given));
    else putMembers("{}", depth, named(given, indent, most));
  };
  putValue(value, 0);
  const text = pieces.join("");
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function* unnamed(members: readonly unknown[]): Iterable<readonly [string, unknown]> {
  for (const member of members) yield ["", member];
}

function* named(members: object, indent: 0 | 2, most: number): Iterable<readonly [string, unknown]> {
  for (const [key, member] of Object.entries(members))
    if (member !== undefined) {
      yield [`${JSON.stringify(key.slice(0, most))}:${indent === 0 ? "" : " "}`, member];
    }
}
