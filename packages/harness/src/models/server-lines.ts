/** Describes the servers that were found and the remote providers, as lines for people. */

import {
  bareUrl,
  callsTools,
  type FoundModel,
  type FoundServers,
  findProvider,
  keyFor,
  type PossiblePlace,
  type Provider,
} from "@localharness/models";
import { countText } from "@localharness/protocol";
import type { ProviderKeys } from "../config/keys.ts";

/** Returns the lines of one address: its server with the models, or the reason why no server answers. */
export function placeLines(place: PossiblePlace, { servers, silent }: FoundServers): string[] {
  const provider = findProvider(place.provider);
  const head = `${(provider?.title ?? place.provider).padEnd(12)} ${bareUrl(place.baseUrl).padEnd(30)}`;
  const server = servers.find((one) => one.baseUrl === place.baseUrl && one.provider === place.provider);
  if (server === undefined) {
    const reason = silent.find(
      (one) => one.baseUrl === place.baseUrl && one.provider === place.provider,
    )?.reason;
    return [`${head} ${reason ?? `nothing answers. ${provider?.startHint ?? ""}`.trimEnd()}`];
  }
  const count = countText(server.models.length, "model");
  return [
    `${head} ${count}`,
    ...server.models.map((model) => `  ${model.name.padEnd(34)} ${modelFacts(model)}`),
  ];
}

function modelFacts(model: FoundModel): string {
  const facts = [model.loaded ? "loaded" : "not loaded"];
  if (!model.chats) facts.push("no chat");
  const calls = callsTools(model);
  if (calls !== undefined) {
    facts.push(calls ? "native tool calls" : "tool calls as text");
  }
  if (model.contextWindow !== undefined) facts.push(`${model.contextWindow} tokens`);
  return facts.join(", ");
}

/** Returns the line of a remote provider: its address, and where its key comes from. */
export function remoteLine(provider: Provider, keys: ProviderKeys, environment: NodeJS.ProcessEnv): string {
  const found = keyFor(provider, environment, keys);
  const state =
    found === undefined ? `no key: set ${provider.keyVariables.join(" or ")}` : `key from ${found.from}`;
  return `${provider.title.padEnd(12)} ${provider.baseUrl.padEnd(30)} ${state}`;
}
