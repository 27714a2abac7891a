/** Converts the tokens that a service gives out to the grant that is kept. */
import type { OAuthTokens } from "@modelcontextprotocol/client";
import type { Grant } from "./sign-ins.ts";

/**
 * Returns the grant with these tokens. `about` has the service, the client, and the scope that counts if the service's
 * answer has no scope.
 */
export function grantOf(
  tokens: OAuthTokens,
  about: Pick<Grant, "client" | "serviceUrl" | "service" | "resource" | "scope">,
): Grant {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = tokens;
  const { client, serviceUrl, service, resource } = about;
  const granted = scope ?? about.scope;
  return {
    accessToken,
    client,
    serviceUrl,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(granted === undefined ? {} : { scope: granted }),
    ...(seconds === undefined ? {} : { expiresAt: Date.now() + seconds * 1000 }),
    ...(service === undefined ? {} : { service }),
    ...(resource === undefined ? {} : { resource }),
  };
}
