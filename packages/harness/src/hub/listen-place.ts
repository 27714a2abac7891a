/** Reads where a server listens from the options of the command line. */
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { usageError } from "@localharness/engine";
import { defined, isLoopback, reasonOf } from "@localharness/protocol";
import { type Options, textOption } from "../config/options.ts";

export interface ListenPlace {
  /** The address to listen on, such as `127.0.0.1`. */
  readonly host: string;
  /** The port; 0 for a free one. */
  readonly port: number;
  /** True if the person has not chosen the port, so that another one may be taken. */
  readonly anyPort: boolean;
  /** The other addresses under which clients reach the server, such as `https://box.example`. */
  readonly origins: readonly string[];
  /** The certificate and its key in PEM format. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export const defaultPort = 4096;

/**
 * Resolves to the place to listen that the options name. Throws a `HarnessError` (`usage`) for a wrong option. An
 * address other than loopback requires a certificate.
 */
export async function readListenPlace(options: Options): Promise<ListenPlace> {
  const listen = textOption(options, "listen") ?? `127.0.0.1:${options.port ?? defaultPort}`;
  const [, host = "", digits = ""] = /^\[?([^[\]]+)\]?:(\d+)$/.exec(listen) ?? [];
  const port = Number(digits);
  if (host === "" || port > 65_535) {
    throw usageError(
      `--listen needs an address and a port from 0 to 65535, such as 127.0.0.1:4096, got ${listen}`,
    );
  }
  const tls = await readCertificate(options);
  if (!isLoopback(host) && tls === undefined) {
    throw usageError(`listening on ${host} needs --tls-cert and --tls-key, because others could read along`);
  }
  const anyPort = options.listen === undefined && options.port === undefined;
  const names = textOption(options, "host-name")?.split(",") ?? [];
  const origins = names.map((name) => readOrigin(name.trim(), tls !== undefined));
  return { host, port, anyPort, origins, ...defined({ tls }) };
}

/**
 * Returns the origin that a name means. A name without a scheme means `https`, but a name of loopback means `http` if
 * there is no certificate.
 */
function readOrigin(name: string, hasTls: boolean): string {
  const [, scheme, authority = ""] =
    /^(?:(https?):\/\/)?((?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?)$/i.exec(name) ?? [];
  const isPlain = !hasTls && isLoopback(authority.replace(/:\d+$/, ""));
  const origin = `${scheme ?? (isPlain ? "http" : "https")}://${authority}`;
  if (authority !== "" && URL.canParse(origin)) return new URL(origin).origin;
  throw usageError(`--host-name needs names such as box.example or localhost:8080, got ${name}`);
}

async function readCertificate(options: Options): Promise<ListenPlace["tls"]> {
  const certPath = textOption(options, "tls-cert");
  const keyPath = textOption(options, "tls-key");
  if (certPath === undefined && keyPath === undefined) return undefined;
  if (certPath === undefined || keyPath === undefined) {
    throw usageError("--tls-cert and --tls-key go together");
  }
  const tls = { cert: await readText(certPath), key: await readText(keyPath) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw usageError(
      `${certPath} and ${keyPath} are not a certificate and its key: ${reasonOf(error)}`,
      error,
    );
  }
  return tls;
}

function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw usageError(`${path} cannot be read: ${reasonOf(error)}`, error);
  });
}
