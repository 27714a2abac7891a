/** Reads what a server asks for when it refuses a request. */
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { SignInChallenge } from "./sign-ins.ts";

const maxChars = 2_000;

export function challengeOf(response: Response): SignInChallenge {
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  return boundedChallenge(scope, resourceMetadataUrl);
}

/** Returns the challenge with a shortened scope and without a long address: both are untrusted text of the server. */
export function boundedChallenge(scope: string | undefined, metadataUrl: URL | undefined): SignInChallenge {
  return {
    ...(scope === undefined ? {} : { scope: scope.slice(0, maxChars) }),
    ...(metadataUrl === undefined || metadataUrl.href.length > maxChars
      ? {}
      : { metadataUrl: metadataUrl.href }),
  };
}
