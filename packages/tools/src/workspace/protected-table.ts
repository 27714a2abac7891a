/**
 * Lists the names of files that make a program run something, or that tell an agent what to do. Each row has a reason, which the
 * question to the person shows. Names are in lower case. A name with slashes matches a path in which its components follow each
 * other.
 */

export interface ProtectedRow {
  /** The names, separated by white space. */
  readonly names: string;
  /** Matches further names, which have varying parts. */
  readonly family?: RegExp;
  /** What happens with such a file, as a clause: `git runs its hooks`. */
  readonly reason: string;
  /** Present for names that programs read only in a home folder. In any other folder a command in the sandbox may create them. */
  readonly place?: "home";
  /**
   * True for files that many projects have as ordinary content. Such a file is read like any other file, a command in the
   * sandbox may create it, and the mode `bypass` does not ask about it.
   */
  readonly common?: true;
}

export const protectedRows: readonly ProtectedRow[] = [
  {
    names: `agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md
      .github/copilot-instructions.md .github/instructions .github/prompts .github/chatmodes .github/agents`,
    reason: "agents obey it as instructions in every later session",
    common: true,
  },
  {
    names: "opencode.json opencode.jsonc crush.json",
    reason: "it sets up an agent: its rules, tools and the programs that it starts",
    common: true,
  },
  {
    names: `.localharness .claude .cursor .codex .gemini .windsurf .continue .opencode .kiro .roo .roomodes .clinerules
      .amazonq .junie .qwen .augment .trae .crush .crush.json .goosehints .agents .factory .rules .windsurfrules
      .cursorrules .aider.conf.yml .mcp.json`,
    reason: "it sets up an agent: its instructions, rules, hooks and the programs that it starts",
  },
  {
    names: ".config/localharness .local/state/localharness .cache/localharness",
    reason: "it holds this program's own settings, rules and code",
    place: "home",
  },
  { names: ".git .hg .svn .jj", reason: "version control runs its hooks and obeys its configuration" },
  { names: ".gitmodules", reason: "git fetches repositories from the addresses in it" },
  {
    names: ".gitattributes",
    reason: "it chooses the filters, diff programs and merge programs that git runs",
    common: true,
  },
  { names: ".husky .githooks .lefthook", reason: "git runs its files as hooks" },
  {
    names: ".pre-commit-config.yaml .overcommit.yml",
    family: /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$/,
    reason: "git hooks run the commands in it",
    common: true,
  },
  {
    names: ".github/workflows .github/actions .gitlab-ci.yml .circleci .buildkite .woodpecker .drone.yml",
    family:
      /^(?:\.travis|\.cirrus|\.?appveyor|\.?woodpecker|azure-pipelines|bitbucket-pipelines)\.ya?ml$|^jenkinsfile$/,
    reason: "a server runs the commands in it by itself after a push, with the project's keys",
    common: true,
  },
  {
    names: ".vscode .idea .zed .fleet .theia .vs .nova",
    family: /.\.(?:code-workspace|sublime-project)$/,
    reason: "an editor runs tasks and programs that it names when the folder is opened",
  },
  {
    names: ".devcontainer .devcontainer.json .gitpod.yml .idx .replit",
    reason: "an editor starts a container or its commands when the folder is opened",
  },
  {
    names: ".vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el .kakrc .helix",
    reason: "an editor runs the commands in it when it opens a file here",
  },
  {
    names: ".gdbinit .lldbinit .pdbrc",
    reason: "a debugger runs the commands in it when it starts here",
  },
  {
    names: ".ghci .iex.exs .irbrc .pryrc .byebugrc .rprofile .renviron .ocamlinit .utoprc .erlang .octaverc",
    reason: "a language runs the program in it when it starts here",
  },
  {
    names: "sitecustomize.py usercustomize.py",
    reason: "python runs it by itself whenever it starts",
    common: true,
  },
  {
    names: `.npmrc .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.loader.mjs .yarnrc .yarnrc.yml .yarn bunfig.toml`,
    family: /^\.yarnrc(?:\..+)?$|^\.pnpmfile\..+$|^\.pnp\..+$/,
    reason: "a package manager obeys it: where packages come from, and which programs it runs",
  },
  {
    names: ".cargo/config .cargo/config.toml .mvn .condarc",
    reason: "a build tool obeys it: which programs, options and sources it uses",
  },
  {
    names: ".bundle/config",
    reason: "bundler obeys it: where packages come from, and which programs it runs",
    common: true,
  },
  {
    names: ".envrc .mise .mise.toml .tool-versions .rtx.toml .autoenv .autoenv.zsh",
    family: /^\.env\.?rc$|^\.?mise(?:\..+)?\.toml$|^\.?rtx(?:\..+)?\.toml$/,
    reason: "the shell loads it, and the programs that it chooses, when somebody enters the folder",
  },
  {
    names: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .zlogout
      .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .xonshrc .config/fish .xprofile .xinitrc .xsession .xsessionrc`,
    reason: "a shell or a desktop runs it at the next start",
    place: "home",
  },
  {
    names: `.tmux.conf .screenrc .emacs .emacs.d .vim .config/nvim .config/helix .pythonrc .pythonrc.py .ipython .jupyter .julia/config
      .sbclrc .psyshrc.php .config/mise .config/systemd .config/autostart .local/bin library/launchagents`,
    reason: "a program runs what it says at the next start",
    place: "home",
  },
  {
    names: `.gitconfig .config/git .hgrc .ripgreprc .curlrc .wgetrc .psqlrc .sqliterc .myclirc .lessfilter .aws/config`,
    reason: "a program obeys its options, some of which start programs or send data elsewhere",
    place: "home",
  },
  {
    names: ".ssh .gnupg .netrc .git-credentials .aws/credentials",
    reason: "it decides who may sign in where, and with which keys",
    place: "home",
  },
];
