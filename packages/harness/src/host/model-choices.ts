/** Lists the models of the current server, and switches the session's model. */
import type { Session } from "@localharness/engine";
import type { FoundModel } from "@localharness/models";
import type { ModelChoice } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { Composition } from "../compose/compose.ts";
import { profileWords } from "../models/model-profiles/profile-words.ts";
import { tellUnseen } from "../prompt/images/seen-images.ts";

type Models = Pick<Composition, "selected" | "known" | "listModels" | "chooseModel">;

/**
 * Returns the models of the server. The current model comes first, even if the server does not list it, with the
 * context window of the session.
 */
export async function listModelChoices(
  models: Models,
  session: Pick<Session, "view">,
): Promise<readonly ModelChoice[]> {
  const { isNamed } = await import("@localharness/models");
  const { model } = models.selected;
  const inUse = defined({
    contextWindow: session.view().usage.contextWindow ?? models.selected.contextWindow,
    profile: profileWords(models.known()),
  });
  const found = await models.listModels();
  const choices = found.map((one): ModelChoice => {
    const current = isNamed(one.name, model.name);
    return { ...asChoice(one, current), ...(current ? inUse : {}) };
  });
  if (!choices.some((one) => one.current)) choices.push({ name: model.name, current: true, ...inUse });
  return choices.toSorted((left, right) => Number(right.current) - Number(left.current));
}

export async function chooseSessionModel(models: Models, session: Session, name: string): Promise<void> {
  const { selected, tools } = await models.chooseModel(name);
  session.useModel(selected.model);
  if (tools !== undefined) session.useTools(tools);
  tellUnseen(session, selected);
}

function asChoice(model: FoundModel, current: boolean): ModelChoice {
  const { name, contextWindow, canCallTools, canSee, sizeBytes } = model;
  return {
    name,
    current,
    ...defined({ contextWindow, tools: canCallTools, vision: canSee, sizeBytes }),
  };
}
