/** Tells the roles of tags in a tag-per-argument format. */
import type { Tag } from "./tag.ts";

export type TagRole =
  | "call"
  | "call-end"
  | "argument"
  | "argument-end"
  /** A tag of the value's own name inside it: a part of it. */
  | "inner"
  /** An argument that the tool does not declare, inside the value of another: it may be a part of that. */
  | "foreign-argument"
  | "frame"
  | "frame-end";

/** Says what a tag is for; undefined for tags that are a part of some value. */
export type TagRoles = (tag: Tag) => TagRole | undefined;

const callNames = new Set(["function", "invoke", "call", "tool"]);
export const argumentNames: ReadonlySet<string> = new Set(["parameter", "param", "argument"]);
/** The names that end tags inside a call have, apart from those of its frame. */
export const endNames: readonly string[] = [...callNames, ...argumentNames];

/** Returns the roles in a format whose arguments are tags named like them: nothing but `invoke` is a call. */
export function keyTagRoles(frames: readonly string[]): TagRoles {
  return ({ name, kind }) => {
    if (name === "invoke") return kind === "close" ? "call-end" : "call";
    if (!frames.includes(name)) return undefined;
    return kind === "close" ? "frame-end" : "frame";
  };
}

/** Returns the roles in a format whose frame has one of the given names. */
export function tagRoles(frames: readonly string[]): TagRoles {
  return (tag) => {
    const { name, kind } = tag;
    if (callNames.has(name)) {
      if (kind === "close") return "call-end";
      return tag.value === undefined && name !== "function" ? undefined : "call";
    }
    if (argumentNames.has(name)) return kind === "close" ? "argument-end" : "argument";
    if (frames.includes(name)) return kind === "close" ? "frame-end" : "frame";
    return undefined;
  };
}

/** Returns the roles inside a value: `isDeclared` says which arguments the tool has. */
export function valueRoles(roles: TagRoles, isDeclared: (key: string) => boolean): TagRoles {
  return (tag) => {
    const role = roles(tag);
    const isForeign = role === "argument" && tag.value !== undefined && !isDeclared(tag.value);
    return isForeign ? "foreign-argument" : role;
  };
}
