/** The models of the server that answers now, and another one for the session that runs. */
import type { Session } from "@localharness/engine";
import type { FoundModel } from "@localharness/models";
import type { ModelChoice } from "@localharness/protocol";
import type { Composition } from "../compose.ts";
import { tellUnseen } from "../images/seen-images.ts";

type Models = Pick<Composition, "selected" | "listModels" | "chooseModel">;

/** The one in use comes first, also when its server does not list it. */
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
      ...(contextWindow === undefined ? {} : { contextWindow }),
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
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(canCallTools === undefined ? {} : { tools: canCallTools }),
    ...(canSee === undefined ? {} : { vision: canSee }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
  };
}
