/** Explains that a proxy asks for a sign-in (status 407), and what the person can do. */
import { type NamedProxy, ProxyProblem, proxyName } from "./proxy.ts";

const maxChars = 80;

/** Returns the problem of status 407. `head` has the ways to sign in that the proxy takes. */
export function signInProblem(proxy: NamedProxy, head: string): ProxyProblem {
  const ways = [...head.matchAll(/^proxy-authenticate:[ \t]*([\w-]+)/gim)].map(([, way = ""]) => way);
  const takesBasic = ways.length === 0 || ways.some((way) => way.toLowerCase() === "basic");
  return new ProxyProblem(`${proxyName(proxy)} ${signInText(proxy, takesBasic, ways)}`, { mayPass: false });
}

function signInText({ user, variable }: NamedProxy, takesBasic: boolean, ways: readonly string[]): string {
  if (!takesBasic) {
    const known = ways.slice(0, 3).join(", ").slice(0, maxChars);
    return `asks for a sign-in that this program cannot make (407: ${known}). Run a local proxy that signs in there, such as cntlm or px, and name that one in ${variable}.`;
  }
  if (user === undefined) {
    return `asks for a user name and a password (407). Write them into ${variable}: http://NAME:PASSWORD@HOST:PORT, with %XX for special characters.`;
  }
  return `does not accept the user name and the password in ${variable} (407). Correct them; special characters are written as %XX.`;
}
