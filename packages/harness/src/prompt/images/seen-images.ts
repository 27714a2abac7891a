/** Finds out whether the current model accepts images, and warns if it does not get the images of a session. */
import type { Session } from "@localharness/engine";
import type { FoundModel, SelectedModel } from "@localharness/models";

/** The current model, and the models that its server has. */
export interface ModelsAtHand {
  readonly selected: SelectedModel;
  listModels(): Promise<readonly FoundModel[]>;
}

/** Returns true if the model accepts images; undefined if that is unknown. Asks the server if necessary. */
export async function canSee({ selected, listModels }: ModelsAtHand): Promise<boolean | undefined> {
  if (selected.canSee !== undefined || selected.provider === "replay") return selected.canSee;
  const { name } = selected.model;
  const { isNamed } = await import("@localharness/models");
  const listed = await listModels().catch(() => []);
  return listed.find((one) => isNamed(one.name, name))?.canSee;
}

export function blindMessage(model: string): string {
  return `${model} sees no images: choose a model that does with --model`;
}

/** Warns if the session has images that the new model does not get. */
export function tellUnseen(session: Session, { canSee: sees, model }: SelectedModel): void {
  if (sees !== false) return;
  const shown = session
    .view()
    .messages.reduce(
      (count, message) => count + (message.role === "user" ? (message.images?.length ?? 0) : 0),
      0,
    );
  if (shown > 0) {
    session.notice(
      "warning",
      "images-unseen",
      `${model.name} sees no images: it gets only the names of the ${shown} in this session`,
    );
  }
}

/** Warns once about images of tool results that the model of the session does not get. */
export function tellUnseenResults(session: Session, current: () => ModelsAtHand): void {
  const stop = session.subscribe(async (event) => {
    if (event.type !== "user-message" || event.from !== "harness" || event.images === undefined) return;
    const choice = current();
    if ((await canSee(choice)) !== false) return;
    stop();
    session.notice(
      "warning",
      "images-unseen",
      `${choice.selected.model.name} sees no images: it gets only the names of those in tool results`,
    );
  });
}
