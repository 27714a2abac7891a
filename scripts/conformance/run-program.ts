/** Runs the real program as a person does: answers its questions, and opens the address of a sign-in. */
import { spawn } from "node:child_process";

export interface Home {
  readonly home: string;
  readonly workspace: string;
}

/**
 * Runs the program until it ends, and resolves to everything that it printed, which it also prints. A `chat` gets answers to
 * its questions; a `login` gets its address opened.
 */
export async function runProgram(
  args: readonly string[],
  place: Home,
  role: "chat" | "login",
): Promise<string> {
  const program = process.env["CONFORMANCE_PROGRAM"] ?? "";
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.workspace,
    env: { PATH: process.env["PATH"], HOME: place.home, LANG: "C.UTF-8", NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  let answered = 0;
  const look = role === "chat" ? answer : visit;
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    said += piece;
    look();
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    errors += piece;
  });

  /** Accepts each question with the value that it suggests, and leaves after the turn. */
  function answer(): void {
    const fresh = said.slice(answered);
    if (/> $/.test(fresh)) {
      answered = said.length;
      child.stdin.write(fresh.includes("That is all.") ? "/quit\n" : "\n");
    }
  }

  /** Opens the address, as a browser does in which the person has signed in already. */
  function visit(): void {
    const address = /^\s*(https?:\/\/\S+)\n/m.exec(said.slice(answered))?.[1];
    if (address === undefined) return;
    answered = said.length;
    // An address that refuses the connection leaves the program waiting, and the check fails by its time limit.
    browse(address).catch((error: unknown) => process.stderr.write(`${error}\n`));
  }

  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve());
  });
  process.stdout.write(`--- ${args.join(" ")}\n${said}\n${errors}\n`);
  return said + errors;
}

async function browse(address: string): Promise<void> {
  const answer = await fetch(address, { redirect: "manual" });
  await answer.text();
  const target = answer.headers.get("location");
  if (target !== null) await (await fetch(target)).text();
}
