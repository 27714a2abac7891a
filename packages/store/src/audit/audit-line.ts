/** Formats an audited call as one line for people. */
import { countText, type JsonValue } from "@localharness/protocol";
import type { AuditedCall } from "./read-audit.ts";

const maxArgumentChars = 160;

export function auditLine(call: AuditedCall): string {
  const time = new Date(call.time).toISOString().replace("T", " ").slice(0, 19);
  return [time, ending(call).padEnd(9), caller(call), shortened(call.arguments), `(${reasons(call)})`].join(
    "  ",
  );
}

function shortened(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > maxArgumentChars ? `${text.slice(0, maxArgumentChars)}…` : text;
}

function caller({ agent, tool }: AuditedCall): string {
  return agent === undefined ? tool : `${agent}: ${tool}`;
}

function ending({ decision, answer, result }: AuditedCall): string {
  if (decision === "deny" || answer?.answer === "deny") return "DENIED";
  if (result === undefined) return "no end";
  if (result.success) return "ok";
  return result.error_type === "permission_denied" ? "DENIED" : result.error_type;
}

type Answered = Pick<NonNullable<AuditedCall["answer"]>, "answer" | "by" | "mode" | "offer">;

function answerInWords({ answer, by, mode, offer }: Answered): string {
  if (by === "nobody") return "nobody to ask";
  if (by === "interrupt") return "you interrupted the question";
  return `you: ${answer}${offer === undefined ? "" : ` (${offer})`}${mode === undefined ? "" : `, on in mode ${mode}`}`;
}

/** Returns the tool and the arguments of the question, and the answer. */
function askedInWords({ about, ...answered }: NonNullable<AuditedCall["asked"]>[number]): string {
  return `${about?.tool ?? ""} ${shortened(about?.arguments ?? "")} ${answerInWords(answered)}`;
}

function reasons(audited: AuditedCall): string {
  const { decision, rule, answer, asked = [], result, risk, concerns = [], hooks = [] } = audited;
  const said = [...(answer === undefined ? [] : [answerInWords(answer)]), ...asked.map(askedInWords)];
  const time = result === undefined ? [] : [`${result.ms} ms`, countText(result.bytes, "byte")];
  const names = concerns.length === 0 ? [] : [`because of ${concerns.join(", ")}`];
  return [
    `${decision} by ${rule}`,
    ...(risk === undefined ? [] : [`risk ${risk}`]),
    ...names,
    ...said,
    ...hooks.map(({ hook, outcome }) => `hook ${hook} ${outcome}`),
    ...time,
  ].join(", ");
}
