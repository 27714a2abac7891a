/**
 * Lists what a sandboxed command sees of a home folder, which is hidden otherwise. `sandbox status` prints the rows that exist.
 * Every row is read-only. Places of the table of secrets stay hidden below these rows.
 */

export interface ShownRow {
  /** Paths relative to the home folder, separated by white space. */
  readonly paths: string;
  readonly why: string;
  /** With `settings`, a file is shown only if nothing in it looks like a password. */
  readonly kind?: "settings";
}

export const shownRows: readonly ShownRow[] = [
  { paths: ".local/bin bin .bin .local/sbin .local/lib .local/libexec", why: "programs" },
  {
    paths: `.local/share/mise .local/share/rtx .asdf .proto .local/share/aquaproj-aqua .nix-profile .local/state/nix/profiles
      .guix-profile .linuxbrew .pkgx`,
    why: "versions of tools",
  },
  {
    paths: `.nvm .volta/bin .volta/tools .volta/hooks.json .fnm .local/share/fnm .nodenv .n .npm-global .npm-packages .npm/_cacache .npm/_npx
      .config/yarn/global .yarn/berry .cache/yarn .cache/node .cache/node-gyp .cache/typescript .local/share/pnpm .pnpm-store
      .cache/pnpm .bun/bin .bun/install .deno/bin .cache/deno .cache/electron .cache/prisma .cache/turbo`,
    why: "Node, Bun and Deno",
  },
  {
    paths: `.pyenv .local/share/uv .cache/uv .local/share/pipx .local/pipx .cache/pip .cache/pypoetry .local/share/pypoetry
      .local/share/hatch .local/share/pdm .local/share/virtualenv .local/share/virtualenvs .virtualenvs .rye .pixi/bin .pixi/envs
      miniconda3 anaconda3 miniforge3 mambaforge micromamba .conda/envs .conda/pkgs .cache/pre-commit .cache/torch
      .cache/huggingface/hub nltk_data`,
    why: "Python",
  },
  {
    paths: `.rustup .cargo/bin .cargo/env .cargo/registry .cargo/git .cargo/.package-cache .cache/sccache`,
    why: "Rust",
  },
  {
    paths:
      "go/bin go/pkg sdk .goenv .gvm .cache/go-build .cache/golangci-lint .cache/gopls .zvm .cache/zig .zig",
    why: "Go and Zig",
  },
  {
    paths: `.sdkman/candidates .sdkman/bin .jenv .jdks .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .gradle/jdks
      .gradle/native .ivy2/cache .ivy2/local .sbt/boot .cache/coursier .local/share/coursier .konan .cache/bazel .cache/bazelisk
      Android/Sdk`,
    why: "Java, Kotlin, Scala and Android",
  },
  {
    paths: `.rbenv .rvm .chruby .rubies .gem/ruby .local/share/gem .bundle/cache .bundle/plugin .phpenv .composer/vendor
      .composer/cache .config/composer/vendor .cache/composer`,
    why: "Ruby and PHP",
  },
  {
    paths: `.dotnet/tools .dotnet/sdk .dotnet/shared .dotnet/host .dotnet/packs .dotnet/dotnet .nuget/packages
      .local/share/NuGet/v3-cache .ghcup .cabal/bin .cabal/packages .cabal/store .local/state/cabal/store .stack/programs
      .stack/snapshots .stack/pantry .stack/global-project .opam .elan .mix/archives .mix/elixir .hex/packages .kerl .kiex
      .cache/rebar3 .pub-cache/hosted .pub-cache/bin .pub-cache/git .pub-cache/global_packages flutter fvm .swiftpm/cache
      .local/share/swiftly .julia/packages .julia/artifacts .julia/compiled .julia/registries .julia/juliaup
      .julia/environments .juliaup R .luarocks/bin .luarocks/lib .luarocks/share perl5 .perlbrew .plenv .roswell .quicklisp
      quicklisp`,
    why: "other languages",
  },
  {
    paths: `.ccache .cache/ccache .conan/data .conan2/p .vcpkg .cache/vcpkg .platformio/packages .platformio/penv
      .platformio/platforms .arduino15/packages .espressif .terraform.d/plugins .terraform.d/plugin-cache`,
    why: "builds",
  },
  {
    paths: `.cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/selenium .cache/fontconfig .fonts .local/share/fonts
      .config/fontconfig .terminfo`,
    why: "test browsers and fonts",
  },
  {
    paths:
      ".config/git/ignore .config/git/attributes .gitignore .gitignore_global .gitattributes .gitmessage",
    why: "files of git",
  },
  {
    paths: `.editorconfig .prettierrc .eslintrc .eslintrc.json .eslintrc.js .stylelintrc .pylintrc .flake8 .rustfmt.toml
      .config/rustfmt .clang-format .clang-tidy .rubocop.yml .config/rubocop .config/flake8 .config/pycodestyle .config/ruff
      .config/black .config/yamllint .config/matplotlib .config/clangd .shellcheckrc .config/shellcheckrc`,
    why: "styles and checks",
  },
  {
    paths: `.tool-versions .node-version .nvmrc .python-version .ruby-version .asdfrc .cargo/config.toml .cargo/config
      .gradle/gradle.properties .config/go/env .pip/pip.conf .config/pip/pip.conf .config/uv/uv.toml .yarnrc .yarnrc.yml
      .bunfig.toml .condarc .mambarc .gemrc .config/mise/config.toml .config/composer/composer.json .composer/composer.json
      .curlrc .wgetrc .psqlrc .sqliterc .R/Makevars .stack/config.yaml .cabal/config .config/cabal/config
      .julia/config/startup.jl .mavenrc .sbt/repositories`,
    why: "settings of tools, without passwords",
    kind: "settings",
  },
];

/** The files in which git looks for the person's settings, relative to the home folder. */
export const gitConfigs: readonly string[] = [".gitconfig", ".config/git/config"];

/** Variables that name a folder of a toolchain, with the parts of it that commands see; `.` for all of it. */
export const shownByVariable: Readonly<Record<string, string>> = {
  NVM_DIR: ".",
  FNM_DIR: ".",
  VOLTA_HOME: "bin tools hooks.json",
  PNPM_HOME: ".",
  BUN_INSTALL: "bin install",
  DENO_DIR: ".",
  PYENV_ROOT: ".",
  VIRTUAL_ENV: ".",
  CONDA_PREFIX: ".",
  RBENV_ROOT: ".",
  GEM_HOME: ".",
  RUSTUP_HOME: ".",
  CARGO_HOME: "bin env registry git",
  GOROOT: ".",
  GOPATH: "bin pkg",
  GOBIN: ".",
  JAVA_HOME: ".",
  MAVEN_HOME: ".",
  GRADLE_HOME: ".",
  GRADLE_USER_HOME: "caches wrapper jdks native",
  ANDROID_HOME: ".",
  DOTNET_ROOT: ".",
};
