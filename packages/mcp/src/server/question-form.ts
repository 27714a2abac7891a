/** Converts a permission question to an elicitation of MCP, and reads the client's answer. */
import {
  gradeText,
  isJsonObject,
  judgedLine,
  judgedText,
  type PermissionAnswer,
  type PermissionRequest,
  questionWarnings,
} from "@localharness/protocol";
import type { InputRequest } from "@modelcontextprotocol/server";

/** The answers that a client can give, with their titles. A client cannot have an answer remembered for later runs. */
const titles: Readonly<Record<Exclude<PermissionAnswer, "remember">, string>> = {
  deny: "Deny",
  once: "Allow once",
  session: "Allow in this session",
};

const field = "answer";

/** The key under which a form carries the whole question to this program on another machine. */
const requestKey = "localharness/request";

/** Returns the elicitation for a question. `whole` adds the question as data. */
export function questionForm(request: PermissionRequest, whole: boolean): InputRequest {
  const offered = answersOf(request);
  return {
    method: "elicitation/create",
    params: {
      ...(whole ? { _meta: { [requestKey]: request } } : {}),
      mode: "form",
      message: questionText(request),
      requestedSchema: {
        type: "object",
        properties: {
          [field]: {
            type: "string",
            title: "Answer",
            oneOf: offered.map((answer) => ({ const: answer, title: titles[answer] })),
          },
        },
        required: [field],
      },
    },
  };
}

/** Returns the answer in a client's response. A response that is not one of the offered answers counts as a denial. */
export function answerOf(response: unknown, request: PermissionRequest): PermissionAnswer {
  const given = response as { readonly action?: unknown; readonly content?: unknown } | null | undefined;
  if (given?.action !== "accept" || !isJsonObject(given.content as never)) return "deny";
  const answer = (given.content as Readonly<Record<string, unknown>>)[field];
  return answersOf(request).find((one) => one === answer) ?? "deny";
}

function answersOf({ answers }: PermissionRequest): readonly (keyof typeof titles)[] {
  const session = answers === undefined || answers.includes("session");
  return session ? ["deny", "once", "session"] : ["deny", "once"];
}

/** Returns the whole question as text. Invisible characters are shown as escapes. */
export function questionText(request: PermissionRequest): string {
  const { toolName, reason, covers, paths = [], preview, sandbox } = request;
  const touched = paths.map(({ path, access }) => `${access} ${judgedLine(path)}`);
  return [
    `May the tool ${judgedLine(toolName)} run?`,
    `Arguments: ${judgedLine(JSON.stringify(request.arguments))}`,
    ...(touched.length === 0 ? [] : [`Touches: ${touched.join(", ")}`]),
    `Risk: ${gradeText(request).text}`,
    ...questionWarnings(request).map((warning) => `Careful: ${warning}`),
    ...(reason === "" ? [] : [`Reason: ${judgedLine(reason)}`]),
    ...(sandbox === undefined || toolName !== "bash" ? [] : [`Runs in: ${judgedLine(sandbox)}`]),
    ...(covers === "" ? [] : [`An answer for the session covers: ${judgedLine(covers)}`]),
    ...(preview === undefined ? [] : ["", judgedText(preview)]),
  ].join("\n");
}
