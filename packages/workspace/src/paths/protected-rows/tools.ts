/** Files that package managers, version managers, build tools and linters obey or run by themselves. */
import { anyOf } from "../../patterns.ts";
import { data, named, type ProtectedRow, script } from "./row.ts";

/** Matches settings whose name ends in `rc`, with commands or code in them. The excluded ones hold plain data. */
const ofTool = new RegExp(
  `^\\.(?!(?:eslint|prettier|stylelint|browserslist|jshint|jscs|htmlhint|markdownlint|yamllint|editorconfig|tool|npmpackagejsonlint)rc$)(?!(?:s|a)rc$)[a-z][\\w-]*rc$|^\\.[\\w-]+rc\\.${script}$`,
);
/** Matches hidden files with code, which some tool loads by their names: `.vscode-test.mjs`, `.phpstorm.meta.php`. */
const hiddenCode = new RegExp(`^\\.[\\w.-]+\\.(?:${script}|py|rb|lua|php|pl|el|vim|exs|clj|scm)$`);
/** Matches the settings of tools as code, such as `vite.config.ts`. */
const asCode = new RegExp(`^\\.?[\\w-]+(?:\\.[\\w-]+)*\\.conf(?:ig)?\\.${script}$`);

export const toolRows: readonly ProtectedRow[] = [
  {
    names: `.npmrc .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.loader.mjs .yarnrc .yarnrc.yml .yarn bunfig.toml`,
    family: /^\.yarnrc(?:\..+)?$|^\.pnpmfile\..+$|^\.pnp\..+$/,
    reason: "a package manager obeys it: where packages come from, and which programs it runs",
  },
  {
    names: `pnpm-workspace.yaml pnpm-workspace.yml .bowerrc .gemrc pip.conf pip.ini .pip uv.toml .uv poetry.toml .pdm.toml
      pdm.toml .pdm-python pydistutils.cfg .pydistutils.cfg condarc nuget.config paket.config .cabal .opam .cpanm .luarocks
      .conan vcpkg-configuration.json .swiftpm .bundle/config common/config/rush .moon .hermit bin/activate-hermit bin/hermit
      bin/hermit.hcl .lein project/plugins.sbt project/build.properties`,
    reason: "a package manager obeys it: where packages come from, and which programs it runs",
    common: true,
  },
  {
    names: ".cargo/config .cargo/config.toml .mvn .condarc",
    reason: "a build tool obeys it: which programs, options and sources it uses",
  },
  {
    names: `gradlew gradlew.bat gradle/wrapper mvnw mvnw.cmd mvnwdebug sbtw mill millw .mill-version .mill-jvm-opts gradle.properties
      init.gradle init.gradle.kts .gradle/init.d .sbtopts .jvmopts .java_opts .bazelrc .bazeliskrc .bazelversion tools/bazel
      .buckconfig .buckconfig.local .buckconfig.d .buckroot pants pants.toml .pants.rc .pants.bootstrap please.toml pleasew .plzconfig
      .plzconfig.local directory.build.props directory.build.targets directory.build.rsp directory.solution.props
      directory.solution.targets directory.packages.props msbuild.rsp global.json cmakepresets.json
      cmakeuserpresets.json .latexmkrc latexmkrc ansible.cfg .ansible dune-workspace rebar.config.script
      docker-compose.override.yml docker-compose.override.yaml compose.override.yml compose.override.yaml`,
    family: anyOf(
      /^(?:user)?\.?[\w-]*\.?bazelrc(?:\..+)?$/,
      /^(?:init|.*\.init)\.gradle(?:\.kts)?$|\.csproj\.user$|\.gradle-wrapper\.properties$/,
    ),
    reason: "a build tool obeys it: which programs, options and sources it uses",
    common: true,
  },
  {
    names: ".envrc .mise .mise.toml .tool-versions .rtx.toml .autoenv .autoenv.zsh .direnv .shadowenv.d",
    family: anyOf(
      /^\.env\.?rc$|^\.?mise(?:\..+)?\.toml$|^\.?rtx(?:\..+)?\.toml$/,
      /^\.envrc\..+$|^\.(?:autoenv|env|smartcd|ondir)[._](?:enter|leave|exit)(?:\.\w+)?$|^\.autoenv_?\w*(?:\.zsh)?$/,
    ),
    reason: "the shell loads it, and the programs that it chooses, when somebody enters the folder",
  },
  {
    names: `rust-toolchain rust-toolchain.toml .prototools .proto .vfox.toml vfox.toml aqua.yaml aqua.yml .aqua .rvmrc .ruby-gemset
      .rbenv-gemsets .rbenv-vars .nodenv-vars .sdkmanrc .gvmrc .nvmrc flake.nix shell.nix devenv.nix devenv.yaml
      devenv.local.nix .devenv devbox.json .devbox .flox .envrc.recommended .pkgx.yaml pkgx.yaml pkgx.yml .pkgx.yml .tea.yaml
      mise/config.toml mise/conf.d .mise-tasks mise-tasks .fnmrc .spack.yaml
      guix.scm .asdfrc .project.fish pixi.toml`,
    family: /^\.[a-z][a-z_-]*-version$|^\.chezmoi\w*(?:\..+)?$|^\.yadm$|^\.dotter$/,
    reason: "a version manager or a shell obeys it when somebody enters the folder: which programs run",
    common: true,
  },
  {
    names: `.pylintrc pylintrc .flake8 .rubocop.yml .rubocop_todo.yml .rspec .rspec-local .simplecov .formatter.exs .credo.exs
      .php-cs-fixer.php .php-cs-fixer.dist.php .php_cs .php_cs.dist rector.php ecs.php phpstan.neon phpstan.neon.dist
      phpstan.dist.neon psalm.xml psalm.xml.dist .scalafix.conf .ansible-lint .sqlfluff mypy.ini .mypy.ini .golangci.yml
      .golangci.yaml .golangci.toml .golangci.json .ctags .ctags.d .reek.yml .standard.yml .erb-lint.yml .haml-lint.yml
      .slim-lint.yml .proverc .perlcriticrc .ackrc .coveragerc .air.toml air.toml .bacon.toml bacon.toml .watchmanconfig
      .mega-linter.yml .luacheckrc .busted .styluarc .swcrc .babelrc .mocharc .nycrc .c8rc .jscpd.json`,
    family: anyOf(
      ofTool,
      named(
        "babelrc mocharc nycrc postcssrc lintstagedrc huskyrc releaserc commitlintrc graphqlrc swcrc",
        data,
      ),
      /^(?:gulp|grunt|jake|tilt|guard|proc|cap|cake)file(?:\..+)?$/,
    ),
    reason: "a tool loads it by itself when it runs here, and runs the code or commands in it",
    ...{ common: true, source: true },
  },
  {
    names:
      ".storybook .xcode.env .xcode.env.local .chef nodemon.json .foreman .tmuxinator.yml .tmuxp.yaml .tmuxp.yml",
    family: anyOf(asCode, hiddenCode),
    reason: "it is code that an editor or a tool runs by itself when it works in this folder",
    ...{ common: true, source: true },
  },
];
