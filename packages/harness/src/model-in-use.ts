/** Holds the current model of a run, which the person may change. */
import type { FoundModel, SelectedModel } from "@localharness/models";
import type { WriteJournal } from "@localharness/tools";
import { stateFolder } from "./config/location.ts";
import type { Settings } from "./config/settings.ts";
import { findTried, keepProfiles } from "./model-profiles/profile-file.ts";
import type { TriedProfile } from "./model-profiles/tried-profile.ts";
import { listModels, type ModelFiles, selectAnother, selectModel } from "./select-model.ts";

export interface ModelInUse {
  readonly selected: SelectedModel;
  /** The findings of `localharness doctor` about the selected model; undefined if the doctor has not tried it. */
  readonly tried: TriedProfile | undefined;
  /** Asks the server for its models and returns them. */
  list(): Promise<readonly FoundModel[]>;
  /** Returns another model without switching to it. Rejects with a `HarnessError` if there is no model of that name. */
  find(name: string): Promise<SelectedModel>;
  /** Switches to another model. Rejects like `find`. */
  choose(name: string): Promise<SelectedModel>;
  /** Saves what the run learnt about its models, for the next run. Never rejects. */
  keepLearnt(journal: WriteJournal): Promise<void>;
}

/** Opens the model of a run: `settled` if it is given; otherwise selects the model that the settings name. */
export async function openModelInUse(
  settings: Settings,
  files: ModelFiles,
  environment: NodeJS.ProcessEnv,
  settled: SelectedModel | undefined,
): Promise<ModelInUse> {
  let selected = settled ?? (await selectModel(settings, files, environment));
  let tried = await findTried(stateFolder(), selected);
  const used = new Set([selected]);
  const find = async (name: string) => {
    const found = await selectAnother(settings, files, environment, selected, name);
    used.add(found);
    return found;
  };
  return {
    get selected() {
      return selected;
    },
    get tried() {
      return tried;
    },
    list: () => listModels(settings, environment, selected),
    find,
    async choose(name) {
      selected = await find(name);
      tried = await findTried(stateFolder(), selected);
      return selected;
    },
    keepLearnt: (journal) => keepProfiles(stateFolder(), [...used], journal, Date.now()),
  };
}
