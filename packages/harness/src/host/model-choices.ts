/** Lists the models of the current server, and switches the session's model. */
import type { Session } from "@localharness/engine";
import type { FoundModel } from "@localharness/models";
import type { ModelChoice } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { Composition } from "../compose.ts";
import { tellUnseen } from "../images/seen-images.ts";

type Models = Pick<Composition, "selected" | "listModels" | "chooseModel">;

/** Returns the models of the server. The current one comes first, even when the server does not list it. */
export async function listModelChoices(models: Models): Promise<readonly ModelChoice[]> {
  const { isNamed } = await import("@localharness/models");
  const { model } = models.selected;
  const found = await models.listModels();
  const choices = found.map((one) => asChoice(one, isNamed(one.name, model.name)));
  if (!choices.some((one) => one.current)) {
    const { contextWindow } = models.selected;
    choices.push({
      name: model.name,
      current: true,
      ...defined({ contextWindow }),
    });
  }
  return choices.toSorted((left, right) => Number(right.current) - Number(left.current));
}

export async function chooseSessionModel(models: Models, session: Session, name: string): Promise<void> {
  const selected = await models.chooseModel(name);
  session.useModel(selected.model);
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
