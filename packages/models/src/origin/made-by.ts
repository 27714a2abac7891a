/** Names the server and the model family that make an answer. */
import { bareUrl } from "../http/secrets.ts";

/**
 * Returns the name of the origin of answers: the address without a password, and the first word of the model's name with the
 * path before it. Models of one family on one server, such as `qwen3:8b` and `qwen3-coder:30b`, have the same origin.
 */
export function madeBy(address: string, model: string): string {
  const slash = model.lastIndexOf("/") + 1;
  const [word] = /^[a-z]+|^[^-_.:]*/i.exec(model.slice(slash)) ?? [""];
  return `${bareUrl(address).replace(/\/+$/, "")} ${model.slice(0, slash)}${word}`.toLowerCase();
}
