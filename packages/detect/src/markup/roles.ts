/** Finds the roles of tags in formats with one tag per argument. */
import type { Tag } from "./tag.ts";

export type TagRole =
  | "call"
  | "call-end"
  | "argument"
  | "argument-end"
  /** The end tag of an argument's key, which a model wrote in place of the end tag of the argument. */
  | "key-end"
  /** A tag inside a value that has the name of the value's tag. It is a part of the value. */
  | "inner"
  /** A tag of an argument that the tool does not have, inside the value of another one. It may be a part of that value. */
  | "foreign-argument"
  | "frame"
  | "frame-end";

/** Returns the role of a tag; undefined for a tag without a meaning, which is a part of a value. */
export type TagRoles = (tag: Tag) => TagRole | undefined;

const callNames = new Set(["function", "invoke", "call", "tool"]);
export const argumentNames: ReadonlySet<string> = new Set(["parameter", "param", "argument"]);
/** The names of end tags inside a call, without those of its frame. */
export const endNames: readonly string[] = [...callNames, ...argumentNames];

/** Returns the roles in a format in which the tag of an argument has the argument's name. Only `invoke` is a call there. */
export function keyTagRoles(frames: readonly string[]): TagRoles {
  return ({ name, kind }) => {
    if (name === "invoke") return kind === "close" ? "call-end" : "call";
    if (!frames.includes(name)) return undefined;
    return kind === "close" ? "frame-end" : "frame";
  };
}

/** Returns the roles in a format whose frame tags have the given names. */
export function tagRoles(frames: readonly string[]): TagRoles {
  return (tag) => {
    const { name, kind } = tag;
    if (callNames.has(name)) {
      if (kind === "close") return "call-end";
      return tag.value === undefined && name !== "function" ? undefined : "call";
    }
    if (argumentNames.has(name)) return kind === "close" ? "argument-end" : "argument";
    if (!frames.includes(name)) return undefined;
    if (kind === "close") return "frame-end";
    // `<tool_call name="read_file">`
    return kind === "open" && tag.attributes.has("name") ? "call" : "frame";
  };
}

/** Returns the roles after a tag around the arguments. Its end tag is one that nothing needs, like an extra end of a value. */
export function wrapperRoles(roles: TagRoles, wrapper: string): TagRoles {
  return (tag) => (tag.kind === "close" && tag.name === wrapper ? "argument-end" : roles(tag));
}

/** Returns the roles inside the value of the argument `key`. `isDeclared` returns true for arguments that the tool has. */
export function valueRoles(roles: TagRoles, key: string, isDeclared: (key: string) => boolean): TagRoles {
  return (tag) => {
    const role = roles(tag);
    if (role === undefined && tag.kind === "close" && tag.name === key) return "key-end";
    const isForeign = role === "argument" && tag.value !== undefined && !isDeclared(tag.value);
    return isForeign ? "foreign-argument" : role;
  };
}
