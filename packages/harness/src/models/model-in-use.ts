/** Holds the current model of a run, which the person may change. */
import type { FoundModel, SelectedModel } from "@localharness/models";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { stateFolder } from "../config/location.ts";
import type { Settings } from "../config/settings.ts";
import { chosenSampling, ownProfile } from "./model-profiles/open-tuning.ts";
import { findTried, keepProfiles } from "./model-profiles/profile-file.ts";
import type { ProfileSources } from "./model-profiles/profile-words.ts";
import type { ModelQueues } from "./model-queues.ts";
import { listModels, type ModelFiles, selectAnother, selectModel } from "./select-model.ts";

export interface ModelInUse {
  readonly selected: SelectedModel;
  /** What is known about the selected model. */
  readonly known: ProfileSources;
  /** Returns the chat models that the server has now; empty if it lists none. */
  list(): Promise<readonly FoundModel[]>;
  /** Returns another model without switching to it. Rejects like `selectAnother`. */
  find(name: string): Promise<SelectedModel>;
  /** Switches to another model and returns it. Rejects like `selectAnother`, and then keeps the current model. */
  choose(name: string): Promise<SelectedModel>;
  /** Saves what the run learnt about its models, for the next run. Never rejects. */
  keepLearnt(journal: WriteJournal): Promise<void>;
}

export interface InUseParts {
  /** The model, if it was selected before. */
  readonly settled: SelectedModel | undefined;
  readonly queues: ModelQueues;
}

/** Opens the model of a run: `settled` if it is given; otherwise selects the model that the settings name. */
export async function openModelInUse(
  settings: Settings,
  files: ModelFiles,
  environment: NodeJS.ProcessEnv,
  { settled, queues }: InUseParts,
): Promise<ModelInUse> {
  let selected = await queues.queued(settled ?? (await selectModel(settings, files, environment)));
  let known = await sourcesOf(settings, selected);
  const used = new Set([selected]);
  const find = async (name: string) => {
    const found = await queues.queued(await selectAnother(settings, files, environment, selected, name));
    used.add(found);
    return found;
  };
  return {
    get selected() {
      return selected;
    },
    get known() {
      return known;
    },
    list: () => listModels(settings, environment, selected),
    find,
    async choose(name) {
      selected = await find(name);
      known = await sourcesOf(settings, selected);
      return selected;
    },
    keepLearnt: (journal) => keepProfiles(stateFolder(), [...used], journal, Date.now()),
  };
}

async function sourcesOf({ values }: Settings, selected: SelectedModel): Promise<ProfileSources> {
  const { provider, model } = selected;
  return {
    tried: await findTried(stateFolder(), selected),
    own: ownProfile(values.profiles, model.name),
    sampling: chosenSampling(values.sampling, provider, model.name),
  };
}
