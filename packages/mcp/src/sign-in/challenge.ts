/** Reads what a server asks for when it refuses a request. */
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { Challenge } from "./sign-ins.ts";

const maxChars = 2_000;

export function challengeOf(response: Response): Challenge {
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  return boundedChallenge(scope, resourceMetadataUrl);
}

/** Returns the challenge with a shortened scope and without a long address: both are untrusted text of the server. */
export function boundedChallenge(scope: string | undefined, metadataUrl: URL | undefined): Challenge {
  return {
    ...(scope === undefined ? {} : { scope: scope.slice(0, maxChars) }),
    ...(metadataUrl === undefined || metadataUrl.href.length > maxChars
      ? {}
      : { metadataUrl: metadataUrl.href }),
  };
}
