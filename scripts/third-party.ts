/** Collects the licenses of the packages in the bundle. Most of them require that their text goes with the code. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const packageOf = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const licenseFile = /^(?:licen[cs]e|notice)(?:\.\w+)?$/i;

/** Returns the name, version and license texts of each package that these files belong to, as one text. */
export async function thirdPartyLicenses(files: Iterable<string>): Promise<string> {
  const folders = new Set([...files].flatMap((file) => packageOf.exec(file)?.[1] ?? []));
  const texts = await Promise.all([...folders].map(licenseOf));
  return texts.toSorted().join(`\n${"-".repeat(80)}\n\n`);
}

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const names = (await readdir(folder)).filter((entry) => licenseFile.test(entry)).toSorted();
  const texts = await Promise.all(names.map((entry) => readFile(join(folder, entry), "utf8")));
  return `${[`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n")}\n`;
}
