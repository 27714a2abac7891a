// Says how long to steep a tea: node src/tea.js green
const times = require("./times.json");

function describe(name) {
  const seconds = times[name];
  if (seconds === undefined) {
    return `Unknown tea ${name}. Known: ${Object.keys(times).join(", ")}`;
  }
  // TODO: say "1 minute", not "1 minutes"
  return `Steep ${name} tea for ${seconds / 60} minutes.`;
}

console.log(describe(process.argv[2] || "green"));
