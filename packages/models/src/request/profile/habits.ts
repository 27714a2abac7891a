/**
 * Lists what chat templates demand of a history beyond the API, one row for each demand (a "habit"); `no-tools`,
 * `unread-calls` and `starts-in-thought` have functions instead of rows. A server renders each request through the model's template, and a
 * template refuses or silently drops what it does not expect. The rows come from 75 templates on llama.cpp servers of
 * August 2025 and August 2026 (docs/servers.md).
 */

export type Habit =
  | "empty-part"
  | "calls-without-content"
  | "null-beside-calls"
  | "nine-character-ids"
  | "one-call-a-message"
  | "alternating-roles"
  | "no-system-role"
  | "no-thought-beside-text"
  | "only-known-fields"
  | "thoughts-with-calls"
  | "signed-calls"
  | "no-thoughts"
  | "no-images"
  | "results-as-user"
  | "no-tools"
  | "unread-calls"
  | "starts-in-thought";

export interface HabitRow {
  readonly id: Habit;
  /** A description of the change to the request. It is shown after the server's own message. */
  readonly remedy: string;
  /** Matches a server's refusal; absent if templates drop the part silently. */
  readonly refusal?: RegExp;
  /** Matches the text of a template with this demand. */
  readonly template?: RegExp;
  /** Matches the text of a template that does not have this demand, although `template` matches. */
  readonly unless?: RegExp;
  /** The habits that this demand ends, because they do the opposite. */
  readonly ends?: readonly Habit[];
  /** The key of llama.cpp's `chat_template_caps` that is false for templates with this demand. */
  readonly capability?: string;
}

/** Matches a refusal of a history that lacks a thought. */
const thoughtWanted =
  /(?:reasoning_content|reasoning_details|reasoning content|thinking block)[^.]*(?:passed back|is missing|required|must (?:be )?(?:pass|includ|provid|contain))|(?:missing|must (?:pass|includ|provid)\w*)[^.]*reasoning_(?:content|details)/i;

export const habitRows: readonly HabitRow[] = [
  {
    id: "empty-part",
    remedy: "an empty content is sent as an empty part",
    refusal: /trying to (call|access)\b.* on null\b|NoneType/i,
  },
  {
    id: "calls-without-content",
    remedy: "text beside calls is sent in a message before them",
    template: /['"]assistant['"]\s+and\s+not\s+message(\[['"]|\.)content\b/,
  },
  {
    id: "null-beside-calls",
    remedy: "text beside calls is sent in a message before them, and their content is null",
    template: /['"]assistant['"]\s+and\s+message(\[['"]|\.)content(['"]\])?\s+is\s+none/,
  },
  {
    id: "nine-character-ids",
    remedy: "call ids are sent as nine letters and digits",
    refusal: /length (of )?9\b|nine (alphanumeric )?characters/i,
    template: /\|\s*length\s*!=\s*9\b/,
  },
  {
    id: "one-call-a-message",
    remedy: "each call is sent in a message by itself",
    refusal: /(single|one) tool.calls? at once|multiple tool calls/i,
    // A template with this demand reads the first call and has no loop over the calls.
    template: /tool_calls['"]?\]?\s*(\[0\]|\|\s*first)/,
    unless: /\bin\s+[\w.[\]'"]*tool_calls/,
    capability: "supports_parallel_tool_calls",
  },
  {
    id: "alternating-roles",
    remedy: "messages are joined or filled in so that user and assistant alternate",
    refusal: /roles? must alternate|must alternate between|unexpected role \W?\w+\W? after role/i,
    template: /roles? must alternate/i,
  },
  {
    id: "no-system-role",
    remedy: "the system prompt is sent in the first user message",
    refusal: /system role (is )?not supported|system (role|message)s? (is|are) not (supported|allowed)/i,
    template: /system role (is )?not supported/i,
    capability: "supports_system_role",
  },
  {
    id: "thoughts-with-calls",
    remedy: "messages with calls that have no thought of this server get an empty one",
    refusal: thoughtWanted,
    ends: ["no-thoughts", "no-thought-beside-text", "only-known-fields"],
  },
  {
    id: "signed-calls",
    remedy: "calls of other models are marked so that their missing signature is not checked",
    refusal: /thought_?signature/i,
    ends: ["only-known-fields"],
  },
  {
    id: "only-known-fields",
    remedy: "fields beside text, thoughts and calls are left out",
  },
  {
    id: "no-thought-beside-text",
    remedy: "earlier thoughts beside text and calls are left out",
    refusal: /cannot pass both content and thinking/i,
    template: /cannot pass both content and thinking/i,
  },
  {
    id: "no-thoughts",
    remedy: "the model's earlier thoughts are left out",
    // A template with this demand reads only the first part of a content, where a server may put the reasoning.
    template: /\bmessage\[['"]content['"]\]\[0\]\[['"]text['"]\]/,
    refusal:
      /^(?!.*(?:passed back|is missing|must (?:be )?(?:pass|includ|provid|contain)))[\s\S]*(?:reasoning_content|reasoning_details|reasoning content|\bthinking\b.*(not (supported|allowed)|unexpected|unknown))/i,
  },
  {
    id: "no-images",
    remedy: "images are left out from now on",
    refusal:
      /(image|vision|multimodal)( input)?s? (is|are) (not supported|unsupported)|(not|n't) support (image|vision|multimodal)|missing data required for image|mmproj/i,
  },
  {
    id: "results-as-user",
    remedy: "results are sent as messages of the user",
    refusal:
      /no previous assistant message with a tool call|tool message outside|tool role (is )?not supported/i,
  },
];

/** Matches the opening tag of a thought, unless an end tag follows directly. */
const openThought =
  /(?:<think>|<thinking>|<thought>|<seed:think>|<longcat_think>|<mm:think>|◁think▷|\[THINK\]|<\|inner_prefix\|>)(?!(?:\s|\\n)*(?:<\/|◁\/|\[\/))/;

/**
 * Returns true if the template ends the prompt with the opening tag of a thought. Looks only at the part of the
 * template that writes the end of the prompt.
 */
export function opensThought(template: string): boolean {
  const place = template.lastIndexOf("add_generation_prompt");
  // Ollama's templates have no name for this place. There the prompt ends where the template ends.
  const end = place >= 0 ? template.slice(place) : template.trimEnd().slice(-40);
  return openThought.test(end);
}

/** Habits that together make a history plain enough for any template. */
export const plainHabits: readonly Habit[] = [
  "only-known-fields",
  "empty-part",
  "nine-character-ids",
  "one-call-a-message",
  "alternating-roles",
  "no-system-role",
  "no-thoughts",
  "results-as-user",
];

/** Returns true if the refusal names a demand of the table. */
function namesHabit(words: string): boolean {
  return habitRows.some(({ refusal }) => refusal?.test(words));
}

/** Returns the habits that follow from a template's text and from the capabilities that the server reports. */
export function habitsOfTemplate(
  template: string,
  capabilities: Readonly<Record<string, unknown>> = {},
): readonly Habit[] {
  const found = habitRows.filter(
    (row) =>
      (row.template?.test(template) === true && row.unless?.test(template) !== true) ||
      (row.capability !== undefined && capabilities[row.capability] === false),
  );
  const opens = opensThought(template) ? (["starts-in-thought"] as const) : [];
  const habits = [...found.map(({ id }) => id), ...opens];
  return takesNoTools(template, capabilities) ? [...habits, "no-tools", "results-as-user"] : habits;
}

/**
 * Returns true if the server says that the model takes no tools. If it does not say so, returns true if the template never
 * mentions tools or never writes calls, so that earlier calls would be lost. An empty template proves nothing.
 */
function takesNoTools(template: string, capabilities: Readonly<Record<string, unknown>>): boolean {
  if (capabilities["supports_tools"] === false || capabilities["supports_tool_calls"] === false) return true;
  if (template === "") return false;
  const namesTools = capabilities["supports_tools"] === true || /\b[Tt]ools\b/.test(template);
  return !(namesTools && /tool_?calls/i.test(template));
}

/**
 * Matches the messages of a server whose template fails: the positions that llama.cpp reports, and Jinja's own
 * messages.
 */
const templateWords =
  /at row \d+, column \d+|jinja|chat.?template|raise_exception|TemplateError|while (executing|rendering)/i;

/** Returns true if a refusal comes from the chat template. The same request would be refused again. */
export function isTemplateRefusal(words: string): boolean {
  return templateWords.test(words) || namesHabit(words);
}
