/** `localharness models`: prints which servers were tried, which models were found, and which model would be used. */

import { usageError } from "@localharness/engine";
import { type ProviderKeys, readKeys } from "@localharness/harness/config/keys";
import { stateFolder } from "@localharness/harness/config/location";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { selectionOf } from "@localharness/harness/select-model";
import { placeLines, remoteLine } from "@localharness/harness/server-lines";
import {
  bareUrl,
  chooseModel,
  createNodeHttp,
  describeProxies,
  type FoundServer,
  findProvider,
  findServers,
  keyFor,
  type PossiblePlace,
  type Provider,
  placesOf,
  providers,
} from "@localharness/models";
import { readStats } from "@localharness/store/stats/stats-file";
import { statsTable } from "@localharness/store/stats/stats-table";
import type { Invocation } from "../arguments/parse.ts";
import { plainJson, visibleLine } from "../terminal/plain-text.ts";

/** The milliseconds to wait for a server. A chat waits less at its start, but here the person only wants this list. */
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
  const proxies = describeProxies(process.env);
  if (invocation.flags.json === true) {
    const silent = found.silent.map(({ reason = "Nothing listens there.", ...place }) => ({
      ...shown(place),
      reason,
    }));
    const servers = found.servers.map(withoutTemplates);
    process.stdout.write(`${plainJson({ tried: places.map(shown), servers, silent, proxies, wouldUse })}\n`);
  } else {
    const lines = [
      ...places.flatMap((place) => placeLines(place, found)),
      ...providers.filter(isRemote).map((provider) => remoteLine(provider, keys, process.env)),
      `${"demo".padEnd(12)} needs nothing: --model demo`,
      ...proxies.map(({ scheme, words }) => `${`${scheme} proxy`.padEnd(12)} ${words}`),
      "",
      ...(settings.values.model !== undefined
        ? [`Configured: ${settings.values.model}`]
        : // Only the program's own message is split into lines. A model name from a server must stay on one line.
          chosen.ok
          ? [wouldUse]
          : wouldUse.split("\n")),
    ];
    process.stdout.write(folded(`${lines.map(visibleLine).join("\n")}\n`));
  }
  return chosen.ok ? exitCodes.done : exitCodes.error;
}

/** Prints the counts of tool calls per model that earlier runs have stored. Needs no server. */
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

function isRemote(provider: Provider): boolean {
  return provider.api !== "none" && provider.port === undefined && provider.baseUrl !== "";
}

function shown({ provider, baseUrl }: Pick<PossiblePlace, "provider" | "baseUrl">) {
  return { provider, baseUrl: bareUrl(baseUrl) };
}

function withoutTemplates(server: FoundServer): FoundServer {
  return {
    ...server,
    ...shown(server),
    models: server.models.map(({ template: _template, ...model }) => model),
  };
}
