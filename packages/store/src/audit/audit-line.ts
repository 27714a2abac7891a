/** Formats an audited call as one line for people. */
import type { AuditedCall } from "./read-audit.ts";

const maxArgumentChars = 160;

export function auditLine(call: AuditedCall): string {
  const time = new Date(call.time).toISOString().replace("T", " ").slice(0, 19);
  const args = JSON.stringify(call.arguments);
  const shown = args.length > maxArgumentChars ? `${args.slice(0, maxArgumentChars)}…` : args;
  return [time, ending(call).padEnd(9), caller(call), shown, `(${reasons(call)})`].join("  ");
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

function answerInWords({ answer, by, mode }: NonNullable<AuditedCall["answer"]>): string {
  if (by === "nobody") return "nobody to ask";
  if (by === "interrupt") return "you interrupted the question";
  return `you: ${answer}${mode === undefined ? "" : `, on in mode ${mode}`}`;
}

function reasons({ decision, rule, answer, result, risk, concerns = [], hooks = [] }: AuditedCall): string {
  const said = answer === undefined ? [] : [answerInWords(answer)];
  const time = result === undefined ? [] : [`${result.ms} ms`, `${result.bytes} bytes`];
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
