/** `localharness models`: prints which servers were tried, which models were found and which one would be used. */

import { usageError } from "@localharness/engine";
import { type ProviderKeys, readKeys } from "@localharness/harness/config/keys";
import { stateFolder } from "@localharness/harness/config/location";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { selectionOf } from "@localharness/harness/select-model";
import {
  bareUrl,
  chooseModel,
  createNodeHttp,
  type FoundModel,
  type FoundServer,
  type FoundServers,
  findProvider,
  findServers,
  keyFor,
  type Place,
  type Provider,
  placesOf,
  providers,
} from "@localharness/models";
import { readStats } from "@localharness/store/stats/stats-file";
import { statsTable } from "@localharness/store/stats/stats-table";
import type { Invocation } from "../arguments/parse.ts";
import { plainJson, visibleLine } from "../terminal/plain-text.ts";

/** The time to wait for a server. It is longer than at the start of a chat, because the person only wants this list. */
const limitMs = 1_000;

export async function runModels(invocation: Invocation): Promise<number> {
  if (invocation.positionals.length > 0) throw usageError("usage: localharness models [--stats]");
  if (invocation.flags.stats === true) return showStats(invocation.flags.json === true);
  const settings = await loadSettings(invocation.flags);
  const keys = await readKeys(settings.folder);
  const places = placesOf(await selectionOf(settings, {}, process.env));
  const found = await findServers({ http: createNodeHttp(), places, limitMs, key: (id) => keyOf(id, keys) });
  const chosen = chooseModel(found);
  const wouldUse = chosen.ok ? chosen.choice.reason : chosen.message;
  if (invocation.flags.json === true) {
    const silent = found.silent.map(({ reason = "Nothing listens there.", ...place }) => ({
      ...shown(place),
      reason,
    }));
    const servers = found.servers.map(withoutTemplates);
    process.stdout.write(`${plainJson({ tried: places.map(shown), servers, silent, wouldUse })}\n`);
  } else {
    const lines = [
      ...places.flatMap((place) => placeLines(place, found)),
      ...providers.filter(isRemote).map((provider) => remoteLine(provider, keys)),
      `${"demo".padEnd(12)} needs nothing: --model demo`,
      "",
      ...(settings.values.model !== undefined
        ? [`Configured: ${settings.values.model}`]
        : // Only the program's own message is split into lines; a model name from a server must stay on one line.
          chosen.ok
          ? [wouldUse]
          : wouldUse.split("\n")),
    ];
    process.stdout.write(folded(`${lines.map(visibleLine).join("\n")}\n`));
  }
  return chosen.ok ? exitCodes.done : exitCodes.error;
}

/** Prints the counts kept from earlier runs. Needs no server. */
async function showStats(asJson: boolean): Promise<number> {
  const folder = stateFolder();
  const stats = folder === undefined ? [] : await readStats(folder);
  const text = asJson ? plainJson({ models: stats }) : statsTable(stats).map(visibleLine).join("\n");
  process.stdout.write(folded(`${text}\n`));
  return exitCodes.done;
}

function keyOf(id: string, keys: ProviderKeys): string | undefined {
  const provider = findProvider(id);
  return provider === undefined ? undefined : keyFor(provider, process.env, keys)?.key;
}

function placeLines(place: Place, { servers, silent }: FoundServers): string[] {
  const provider = findProvider(place.provider);
  const head = `${(provider?.title ?? place.provider).padEnd(12)} ${bareUrl(place.baseUrl).padEnd(30)}`;
  const server = servers.find((one) => one.baseUrl === place.baseUrl && one.provider === place.provider);
  if (server === undefined) {
    const reason = silent.find(
      (one) => one.baseUrl === place.baseUrl && one.provider === place.provider,
    )?.reason;
    return [`${head} ${reason ?? `nothing answers. ${provider?.startHint ?? ""}`.trimEnd()}`];
  }
  const count = `${server.models.length} model${server.models.length === 1 ? "" : "s"}`;
  return [
    `${head} ${count}`,
    ...server.models.map((model) => `  ${model.name.padEnd(34)} ${modelFacts(model)}`),
  ];
}

function modelFacts(model: FoundModel): string {
  const facts = [model.loaded ? "loaded" : "not loaded"];
  if (!model.chats) facts.push("no chat");
  if (model.canCallTools !== undefined) {
    facts.push(model.canCallTools ? "native tool calls" : "tool calls as text");
  }
  if (model.contextWindow !== undefined) facts.push(`${model.contextWindow} tokens`);
  return facts.join(", ");
}

function isRemote(provider: Provider): boolean {
  return provider.api !== "none" && provider.port === undefined && provider.baseUrl !== "";
}

function remoteLine(provider: Provider, keys: ProviderKeys): string {
  const found = keyFor(provider, process.env, keys);
  const state =
    found === undefined ? `no key: set ${provider.keyVariables.join(" or ")}` : `key from ${found.from}`;
  return `${provider.title.padEnd(12)} ${provider.baseUrl.padEnd(30)} ${state}`;
}

function shown({ provider, baseUrl }: Pick<Place, "provider" | "baseUrl">) {
  return { provider, baseUrl: bareUrl(baseUrl) };
}

function withoutTemplates(server: FoundServer): FoundServer {
  return {
    ...server,
    ...shown(server),
    models: server.models.map(({ template: _template, ...model }) => model),
  };
}
