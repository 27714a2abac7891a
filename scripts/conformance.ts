/**
 * Runs the conformance suite of MCP against this program: `npm run conformance -- [client|server|peers]`; `peers` are
 * MCP programs of other authors. Without arguments it checks all three. The last line has the numbers of scenarios and tests
 * that passed and failed. Exits with 1 if any scenario that a revision requires, or any test with a peer, has failed, or if
 * nothing has passed.
 */
import { checkClient } from "./conformance/check-client.ts";
import { checkPeers, installPeers } from "./conformance/check-peers.ts";
import { checkServer } from "./conformance/check-server.ts";
import type { Counts } from "./conformance/counts.ts";

/** The sides of the protocol that are checked. */
const sides: Readonly<Record<string, () => Promise<Counts>>> = {
  client: checkClient,
  server: checkServer,
  peers: () => checkPeers(installed),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(sides, name));
if (unknown !== undefined) {
  process.stderr.write(`unknown side ${unknown}: expected ${Object.keys(sides).join(", ")}\n`);
  process.exit(2);
}
// The packages come over the network while the other sides are checked.
const installed = wanted.length === 0 || wanted.includes("peers") ? installPeers() : Promise.resolve(1);
let passed = 0;
let failed = 0;
for (const [name, check] of Object.entries(sides)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const counts = await check();
  passed += counts.passed;
  failed += counts.failed;
}
process.stdout.write(`conformance: ${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
