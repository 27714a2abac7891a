/**
 * Judges the head of a request before a handler sees it: the Host and Origin headers, the path and the content type. A page of
 * another site, a rebound DNS name or a smuggled request is refused here.
 */

export interface RequestHead {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** Names and values alternate, as in `IncomingMessage.rawHeaders`. */
  readonly rawHeaders: readonly string[];
}

export interface Refusal {
  readonly status: 400 | 403 | 405 | 415;
  readonly message: string;
}

/** The origin of our pages for each authority under which clients reach the server, such as `127.0.0.1:4096`. */
export type OwnOrigins = ReadonlyMap<string, string>;

const methods = new Set(["GET", "HEAD", "POST", "DELETE"]);

/** Returns the reason to refuse a request; undefined when the request may be handled. */
export function judgeRequest(head: RequestHead, own: OwnOrigins): Refusal | undefined {
  const hosts = valuesOf(head, "host");
  const [host = ""] = hosts;
  if (hosts.length !== 1) return refusal(400, "expected exactly one Host header");
  const origin = own.get(host.toLowerCase());
  if (origin === undefined) {
    return refusal(403, `this server does not answer as "${host.slice(0, 100)}"`);
  }
  const origins = valuesOf(head, "origin");
  if (origins.some((one) => one !== origin)) {
    return refusal(403, "pages of other sites may not use this server");
  }
  if (!methods.has(head.method)) return refusal(405, `${head.method} is not supported`);
  if (!isPlainTarget(head.target)) return refusal(400, "expected a path without dot segments or escapes");
  if (head.method === "POST" && !isJson(valuesOf(head, "content-type"))) {
    return refusal(415, "expected the content type application/json");
  }
  return undefined;
}

function refusal(status: Refusal["status"], message: string): Refusal {
  return { status, message };
}

function valuesOf({ rawHeaders }: RequestHead, name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** Returns true for an absolute path in which no segment can leave its folder. Only the query may contain escapes. */
function isPlainTarget(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return /^\/[\w\-./~@:]*$/.test(path) && !path.includes("//") && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(path);
}

function isJson(types: readonly string[]): boolean {
  return types.length === 1 && /^application\/json\s*(?:;\s*charset=utf-8\s*)?$/i.test(types[0] ?? "");
}
