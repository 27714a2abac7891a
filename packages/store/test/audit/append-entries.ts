/** Appends entries to a log from a separate process: `append-entries.ts PATH NAME COUNT LIMIT`. */
import { openAuditFile } from "../../src/audit/audit-file.ts";
import { entry } from "./entry.ts";

const [path = "", name = "", count = "0", limit = "0"] = process.argv.slice(2);
const log = openAuditFile(path, { fileLimit: Number(limit) });
for (let index = 0; index < Number(count); index += 1) await log.append(entry(`${name}-${index}`));
await log.close();
