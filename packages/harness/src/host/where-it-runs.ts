/** Finds out from the address of a server where the server runs. */

const places: readonly (readonly [RegExp, string])[] = [
  [/^(?:localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i, "on this machine"],
  [
    /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[f[cde][0-9a-f:]+\]|.+\.local|[^.:[\]]+)$/i,
    "in your network",
  ],
];

/** Returns the place in words. A tunnel or a proxy on this machine may still lead to another machine. */
export function whereItRuns(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  return places.find(([pattern]) => pattern.test(host))?.[1] ?? "on another machine, outside your network";
}
