/** Reads, writes and hashes the entries of `mcp.json`, which name servers, each with a command or an address. */
import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export type ServerEntry = CommandEntry | AddressEntry;

interface EntryBase {
  /** The name as it is written in the file. */
  readonly name: string;
  readonly disabled: boolean;
  /** The time limit of a call in seconds; absent if the setting applies. */
  readonly timeoutSeconds?: number;
  /** True if the server may ask for answers of the person's model (sampling). The person is asked each time. */
  readonly sampling?: true;
}

/** A server that is started as a child process. Values may contain `${NAME}` and `${NAME:-default}`. */
export interface CommandEntry extends EntryBase {
  readonly kind: "command";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** True if the person wants the server to run in the sandbox. */
  readonly sandbox: boolean;
}

/** A server that is reached over HTTP. Values may contain `${NAME}` and `${NAME:-default}`. */
export interface AddressEntry extends EntryBase {
  readonly kind: "address";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The transport that the entry names. `any` tries streamable HTTP first, and then server-sent events. */
  readonly transport: "any" | "http" | "sse";
  /** The settings of the sign-in; absent if the person has set none. */
  readonly oauth?: OAuthEntry;
}

/** The settings of a sign-in over OAuth. Each may be absent. */
export interface OAuthEntry {
  /** The id of the client that is registered at the service, or the https address of the metadata document of the client. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The rights to ask for if the server names none, separated by spaces. */
  readonly scope?: string;
  /** The port of this machine to which the browser returns; any free port if absent. */
  readonly callbackPort?: number;
}

export interface ReadEntries {
  readonly entries: readonly ServerEntry[];
  /** A sentence about each entry that cannot be used, or one sentence about the whole text. */
  readonly problems: readonly string[];
}

/** The keys under which programs store their servers. */
const serverKeys = ["mcpServers", "servers"] as const;

/**
 * Reads the text of a configuration, in which comments and trailing commas are accepted. If the text is not JSON or has no
 * object of servers, there is one problem and no entry. An empty object of servers is no problem.
 */
export function readEntries(text: string): ReadEntries {
  let value: JsonValue;
  try {
    value = JSON.parse(withoutComments(text)) as JsonValue;
  } catch {
    return { entries: [], problems: ["it is not JSON"] };
  }
  const found = isJsonObject(value) ? serverKeys.map((key) => value[key]).find(isJsonObject) : undefined;
  if (found === undefined) return { entries: [], problems: ['expected an object {"mcpServers": {...}}'] };
  const read = Object.entries(found).map(([name, entry]) => readEntry(name, entry));
  return {
    entries: read.filter((one) => typeof one !== "string"),
    problems: read.filter((one) => typeof one === "string"),
  };
}

/** Removes the comments and trailing commas that editors accept. Strings stay as they are. */
function withoutComments(text: string): string {
  // A string or comment without its end takes the rest of the text. Another search for an end at each mark in it would make
  // the time quadratic.
  const comments = /"(?:[^"\\]|\\.)*"?|(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|\/\*[\s\S]*/g;
  const trailingCommas = /"(?:[^"\\]|\\.)*"?|(,)(?=\s*[}\]])/g;
  const kept = (part: string, dropped: string | undefined) => (dropped === undefined ? part : "");
  // A comment may stand between a trailing comma and the bracket.
  return text.replace(comments, kept).replace(trailingCommas, kept);
}

/** Returns the entry, or a sentence that says what is wrong with it. */
function readEntry(name: string, value: JsonValue): ServerEntry | string {
  if (!isJsonObject(value)) return `"${name}": expected an object with a command or a url`;
  const { command, url, disabled, timeout, type } = value;
  const base = {
    name,
    disabled: disabled === true,
    ...(typeof timeout === "number" && timeout > 0 ? { timeoutSeconds: timeout } : {}),
    ...(value["sampling"] === true ? { sampling: true as const } : {}),
  };
  const address = typeof url === "string" ? url : value["serverUrl"];
  if (typeof command === "string" && command !== "") return readCommand(base, command, value);
  if (typeof address !== "string" || address === "") return `"${name}": expected "command" or "url"`;
  const headers = textRecord(value["headers"] ?? {});
  if (headers === undefined) return `"${name}": "headers" must be an object of texts`;
  const transport = type === "sse" ? "sse" : type === "http" || type === "streamable-http" ? "http" : "any";
  const oauth = readOAuth(value["oauth"]);
  if (typeof oauth === "string") return `"${name}": ${oauth}`;
  return {
    ...base,
    ...{ kind: "address", url: address, headers, transport },
    ...(oauth === undefined ? {} : { oauth }),
  };
}

/** Returns the settings of the sign-in, or a sentence about what is wrong with them; undefined if there are none. */
function readOAuth(value: JsonValue | undefined): OAuthEntry | string | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return '"oauth" must be an object';
  const { clientId, clientSecret, scope, scopes, callbackPort } = value;
  const wanted = Array.isArray(scopes) ? scopes.join(" ") : (scope ?? scopes);
  const texts = { clientId, clientSecret, scope: wanted };
  const wrong = Object.entries(texts).find(([, one]) => one !== undefined && typeof one !== "string");
  if (wrong !== undefined) return `"oauth": "${wrong[0]}" must be a text`;
  const isPort = Number.isInteger(callbackPort) && Number(callbackPort) > 0 && Number(callbackPort) < 65_536;
  if (callbackPort !== undefined && !isPort) return '"oauth": "callbackPort" must be a port number';
  const given = Object.entries({ ...texts, callbackPort }).filter(([, one]) => one !== undefined);
  return Object.fromEntries(given) as OAuthEntry;
}

function readCommand(base: EntryBase, command: string, value: JsonObject): CommandEntry | string {
  const { args = [], cwd, sandbox } = value;
  const env = textRecord(value["env"] ?? {});
  if (env === undefined) return `"${base.name}": "env" must be an object of texts`;
  if (!Array.isArray(args) || !args.every((one) => typeof one === "string")) {
    return `"${base.name}": "args" must be a list of texts`;
  }
  return {
    ...base,
    kind: "command",
    command,
    args: args as readonly string[],
    env,
    ...(typeof cwd === "string" ? { cwd } : {}),
    sandbox: sandbox === true,
  };
}

function textRecord(value: JsonValue): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, inner]) => [key, asText(inner)] as const);
  return entries.some(([, inner]) => inner === undefined)
    ? undefined
    : (Object.fromEntries(entries) as Record<string, string>);
}

/**
 * Returns a text, a number or a boolean as text, because real files have values such as `"PORT": 8080`; undefined for any
 * other value.
 */
function asText(value: JsonValue): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/**
 * Returns the SHA-256, in hex, of what the entry starts or reaches. It changes with every part of the entry that the
 * person sees in a question.
 */
export function entryHash(entry: ServerEntry): string {
  const parts =
    entry.kind === "command"
      ? [entry.command, entry.args, sorted(entry.env), entry.cwd ?? "", entry.sandbox]
      : [
          entry.url,
          sorted(entry.headers),
          entry.transport,
          ...(entry.oauth === undefined ? [] : [entry.oauth]),
        ];
  const more = entry.sampling === true ? ["sampling"] : [];
  return createHash("sha256")
    .update(JSON.stringify([entry.kind, entry.name, parts, ...more]))
    .digest("hex");
}

function sorted(record: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** Returns the entry as JSON, in the form that the file has under the server's name. */
export function entryJson(entry: ServerEntry): JsonObject {
  const more = {
    ...(entry.disabled ? { disabled: true } : {}),
    ...(entry.timeoutSeconds === undefined ? {} : { timeout: entry.timeoutSeconds }),
    ...(entry.sampling === true ? { sampling: true } : {}),
  };
  if (entry.kind === "address") {
    const { url, headers, transport, oauth } = entry;
    const type = transport === "any" ? {} : { type: transport };
    return {
      ...type,
      url,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(oauth === undefined ? {} : { oauth: { ...oauth } }),
      ...more,
    };
  }
  const { command, args, env, cwd, sandbox } = entry;
  return {
    command,
    ...(args.length === 0 ? {} : { args: [...args] }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(sandbox ? { sandbox } : {}),
    ...more,
  };
}
