/** Whether the model in use sees images, and what the person is told when it does not see those of a session. */
import type { Session } from "@localharness/engine";
import type { SelectedModel } from "@localharness/models";
import type { Composition } from "../compose.ts";

/** Undefined when nobody knows. A server that was not looked at before is asked. */
export async function canSee({
  selected,
  listModels,
}: Pick<Composition, "selected" | "listModels">): Promise<boolean | undefined> {
  if (selected.canSee !== undefined || selected.provider === "replay") return selected.canSee;
  const { name } = selected.model;
  const { isNamed } = await import("@localharness/models");
  const listed = await listModels().catch(() => []);
  return listed.find((one) => isNamed(one.name, name))?.canSee;
}

export function blindMessage(model: string): string {
  return `${model} sees no images: take one that does with --model`;
}

/** Says it when what was shown before does not go to the model of now. */
export function tellUnseen(session: Session, { canSee: sees, model }: SelectedModel): void {
  if (sees !== false) return;
  const shown = session
    .view()
    .messages.reduce(
      (count, message) => count + (message.role === "user" ? (message.images?.length ?? 0) : 0),
      0,
    );
  if (shown > 0)
    session.notice(
      "warning",
      "images-unseen",
      `${model.name} sees no images: the ${shown} of this session do not go to it, only their names`,
    );
}
