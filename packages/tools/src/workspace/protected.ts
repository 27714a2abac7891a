/**
 * Lists the names of files that make some program run something or that control what an agent may do. Writing to them
 * always needs an answer from the person, even if they do not exist yet.
 */
import { foldPath, isShortNameOf } from "./fold-name.ts";

/** Names that some program reads in any folder. Protected anywhere in a path, with everything below. */
export const namesAnywhere: readonly string[] =
  `.git .hg .localharness .husky .vscode .idea .zed .devcontainer
  .devcontainer.json .claude .cursor .codex .gemini .windsurf .continue .opencode .kiro .roo .clinerules .amazonq .junie
  .qwen .aider.conf.yml .mcp.json .cursorrules .npmrc .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.loader.mjs .yarnrc
  .yarnrc.yml .yarn bunfig.toml .envrc .mise.toml .tool-versions
  .vimrc .gvimrc .exrc .nvimrc .nvim.lua .dir-locals.el .gdbinit .lldbinit .pdbrc .irbrc .pryrc .gitmodules`.split(
    /\s+/,
  );

/** Names that programs read in a home folder; protected in any folder too. */
export const namesAtHome: readonly string[] =
  `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .zlogout
  .kshrc .cshrc .tcshrc .login .inputrc .tmux.conf .screenrc .emacs .pythonrc .pythonrc.py .gitconfig .ripgreprc
  .curlrc .wgetrc .hgrc .psqlrc .sqliterc .xprofile .xinitrc .xsession .xsessionrc .ssh .gnupg .netrc .git-credentials`.split(
    /\s+/,
  );

const names = [...namesAnywhere, ...namesAtHome];

/** Names that are protected only inside the given folders. */
export const sequences: readonly (readonly string[])[] = [
  [".config", "localharness"],
  [".local", "state", "localharness"],
  [".cache", "localharness"],
  [".config", "git"],
  [".config", "fish"],
  [".config", "mise"],
  [".config", "systemd"],
  [".config", "autostart"],
  [".config", "nvim"],
  [".cargo", "config"],
  [".cargo", "config.toml"],
  [".aws", "credentials"],
  [".aws", "config"],
];

const exact = new Set(names);

/** Names with varying endings. */
const families: readonly RegExp[] = [
  /^\.yarnrc(?:\..+)?$/,
  /^\.pnpmfile\..+$/,
  /^\.env\.?rc$/,
  /^\.?mise(?:\..+)?\.toml$/,
  /^\.rprofile$/,
  /.\.code-workspace$/,
];

/**
 * Returns the protected name in `path`, or undefined. `path` is relative to the workspace or any part of a path. Ignores
 * case, Unicode composition, invisible characters, 8.3 names, and what Windows drops from names.
 */
export function protectedName(path: string): string | undefined {
  const components = foldPath(path);
  for (const [index, component] of components.entries()) {
    const name = protectedComponent(component) ?? sequenceAt(components, index);
    if (name !== undefined) return name;
  }
  return undefined;
}

function protectedComponent(component: string): string | undefined {
  if (exact.has(component)) return component;
  if (component.includes("~")) return names.find((name) => isShortNameOf(component, name));
  return families.some((family) => family.test(component)) ? component : undefined;
}

function sequenceAt(components: readonly string[], index: number): string | undefined {
  return sequences
    .find((sequence) => sequence.every((name, offset) => components[index + offset] === name))
    ?.join("/");
}
