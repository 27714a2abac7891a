/**
 * Builds the web app after `npm ci`, so that `localharness serve` works in a checkout. Says in one line why it cannot; the
 * installation goes on.
 */
const [major = 0] = process.versions.node.split(".").map(Number);

try {
  if (major < 24) throw new Error(`it needs Node 24, this is Node ${process.versions.node}`);
  const { buildWebIfStale } = await import("./build-web.ts");
  await buildWebIfStale();
} catch (error) {
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  process.stdout.write(`the web app was not built: ${reason}; later: npm run build:web\n`);
}
