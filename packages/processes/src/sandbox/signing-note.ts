/** Recognises a command whose git could not sign, because the sandbox hides the keys, and says what can be done. */
import type { Sandbox } from "./sandbox.ts";

/** Matches the messages of git, gpg, gpgsm and ssh-keygen about a signature that could not be made. */
const failure = new RegExp(
  [
    String.raw`\b(?:gpg|gpgsm|gpg2|smimesign) failed to sign`,
    String.raw`^(?:gpg|gpgsm)(?:\[\d+\])?: (?:signing failed|skipped ".*": |error creating signature|no default secret key|can't sign)`,
    "unable to sign the (?:tag|data)|failed to sign the data",
    "Couldn't (?:load public key|sign message|get agent socket)",
    "No private key found for",
    String.raw`either user\.signingkey or gpg\.ssh\.defaultKeyCommand needs to be configured`,
    String.raw`gpg\.ssh\.defaultKeyCommand (?:failed|succeeded but returned no keys)`,
    String.raw`^(?:error: )?Load key ".*": .*[\s\S]*failed to write commit object`,
  ].join("|"),
  "im",
);

/**
 * Returns a note for the model and the person if the output says that a signature could not be made; else undefined. `commits`
 * returns true if `git_commit_all` can commit in the workspace.
 */
export function signingNote(
  { state }: Pick<Sandbox, "state">,
  output: string,
  commits: () => boolean,
): string | undefined {
  if (state.kind !== "on" || !failure.test(output)) return undefined;
  const tool = commits()
    ? "The tool git_commit_all commits outside of the sandbox, and signs. Or ask"
    : "Ask";
  return `the sandbox hides the keys with which git signs, and no call can change that. ${tool} the person: they can run the command themselves with ! before it, for example !git commit, or start again with --sandbox off`;
}
