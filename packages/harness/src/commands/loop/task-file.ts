/** Reads the task file of the unattended loop: a list of stories, each with a `passes` flag. */
import { readFile } from "node:fs/promises";
import { isJsonObject, type JsonObject, type JsonValue, reasonOf } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";

export interface Story {
  readonly id: string;
  readonly title: string;
  readonly passes: boolean;
  /** Stories with lower numbers are worked on first. A story without a priority gets its position in the file. */
  readonly priority: number;
}

export type TaskFile =
  | { readonly ok: true; readonly stories: readonly Story[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the stories of a task file. Never rejects: returns a problem if the file cannot be read or is not a task file.
 */
export async function readTaskFile(path: string): Promise<TaskFile> {
  try {
    return parseTasks(await readFile(path, "utf8"));
  } catch (error) {
    const problem = isMissing(error) ? "there is no such file" : reasonOf(error);
    return { ok: false, problem };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Parses a task file. The list of stories (objects with `passes`) is either the whole file or the value of one key. */
export function parseTasks(text: string): TaskFile {
  const source = readJsonSource(text);
  if (!source.ok) {
    const shape = '{"stories": [{"id": "1", "title": "...", "passes": false}]}';
    const problem = `line ${source.line}:${source.column}: ${source.message}; a task file is JSON such as ${shape}`;
    return { ok: false, problem };
  }
  const lists = Array.isArray(source.value) ? [source.value] : listsOf(source.value);
  const items = lists.find((list) => list.length > 0 && list.every(hasPasses));
  if (items === undefined) {
    const problem = 'no stories: expected a list of objects, each with "passes": true or false';
    return { ok: false, problem };
  }
  return { ok: true, stories: items.filter(isJsonObject).map(toStory) };
}

/** Returns the next story to work on; undefined if all stories pass. */
export function nextStory(stories: readonly Story[]): Story | undefined {
  const open = stories.filter((story) => !story.passes);
  return open.toSorted((a, b) => a.priority - b.priority)[0];
}

function listsOf(value: JsonValue): JsonValue[][] {
  return isJsonObject(value) ? Object.values(value).filter((inner) => Array.isArray(inner)) : [];
}

function hasPasses(item: JsonValue): boolean {
  return isJsonObject(item) && typeof item["passes"] === "boolean";
}

function toStory(item: JsonObject, index: number): Story {
  const { id, title, name, description, story, priority } = item;
  const first = [title, name, story, description].find((text) => typeof text === "string" && text !== "");
  return {
    id: typeof id === "string" || typeof id === "number" ? String(id) : String(index + 1),
    title: typeof first === "string" ? first : "",
    passes: item["passes"] === true,
    priority: typeof priority === "number" ? priority : index,
  };
}
