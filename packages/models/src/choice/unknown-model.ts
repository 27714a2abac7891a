/**
 * Defines the error for a model name that no running server has. The error lists the models that the person can choose
 * instead.
 */
import { HarnessError } from "@localharness/engine";
import { suggestion } from "@localharness/protocol";
import { bareUrl } from "../http/secrets.ts";
import type { ProviderId } from "./catalog.ts";
import { silentText } from "./choose-model.ts";
import type { FoundServers } from "./find-servers.ts";

/** A model that a running server has. */
export interface OfferedModel {
  readonly provider: ProviderId;
  readonly title: string;
  /** The address. It may contain a password, so it must be shown only through `bareUrl`. */
  readonly baseUrl: string;
  readonly name: string;
}

export class UnknownModel extends HarnessError {
  /** The problem, and how to get the model with Ollama, without the list of models. */
  readonly brief: string;
  /** The chat models of all servers found. */
  readonly offered: readonly OfferedModel[];

  constructor(named: string, { servers, silent }: FoundServers) {
    const offered = servers.flatMap(({ provider, title, baseUrl, models }) =>
      models.filter(({ chats }) => chats).map(({ name }) => ({ provider, title, baseUrl, name })),
    );
    const lists = servers.map((server) => {
      const names = server.models.map((model) => model.name).join(", ");
      return `${server.title} at ${bareUrl(server.baseUrl)} has: ${names === "" ? "nothing" : names}.`;
    });
    const others = silent.filter((place) => place.reason !== undefined).map(silentText);
    const there = servers.flatMap((server) => server.models.map((model) => model.name));
    const brief = `No running server has the model "${named}".${meantModel(named, there)}`;
    const pull = `With Ollama, get it with: ollama pull ${named}`;
    super("model-unknown", `${brief} ${[...lists, ...others].join(" ")} ${pull}`);
    this.brief = `${brief} ${pull}`;
    this.offered = offered;
  }
}

/**
 * Returns ` Did you mean X?` with at most three models whose name begins with the wanted name, or else with the nearest
 * name. Returns an empty text if no name is near.
 */
function meantModel(named: string, there: readonly string[]): string {
  const base = (name: string) => name.toLowerCase().split("/").at(-1)?.split(":")[0] ?? "";
  const variants = there.filter((name) => base(name).startsWith(base(named)));
  if (variants.length > 0) return ` Did you mean ${variants.slice(0, 3).join(" or ")}?`;
  return suggestion(named, there);
}
