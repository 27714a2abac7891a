/** Programs that build from a file of rules, and programs that run tasks. */
import { anyTests, type Program, type ProgramRows, tests } from "./program.ts";
import { dottedWords, inFolders, makeRuns } from "./run-files.ts";

const make: Program = {
  risk: "others",
  speaks: true,
  gnuOptions: true,
  runs: makeRuns,
  files: "GNUmakefile makefile Makefile",
  // Other letters may precede these letters, and the long options may be shortened.
  otherFolder: /^-[a-zA-Z]*?[CI]|^--(?:di|inc)/,
  ...tests,
};
const gradleFiles = "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties";
const gradle: Program = { files: gradleFiles, otherFolder: /^-[pbc]/, ...tests };
const mavenFiles = "pom.xml .mvn/maven.config .mvn/jvm.config .mvn/extensions.xml";
const nixFiles = "flake.nix default.nix shell.nix";

export const buildTools: ProgramRows = {
  make: { ...make, version: "--version -v" },
  gmake: make,
  ninja: { risk: "others", files: "build.ninja", ...tests },
  just: { risk: "others", files: "justfile .justfile Justfile", otherFolder: /^-d/, ...tests },
  task: {
    risk: "others",
    files: "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml",
    otherFolder: /^-d/,
    ...tests,
  },
  rake: { risk: "others", files: "Rakefile rakefile Rakefile.rb rakefile.rb", ...tests },
  ant: { risk: "others" },
  gradle: { ...gradle, risk: "others" },
  gradlew: {
    ...gradle,
    wrapper: true,
    files: `gradlew gradle/wrapper/gradle-wrapper.properties ${gradleFiles}`,
  },
  mvn: { risk: "others", files: mavenFiles, ...tests },
  mvnw: { wrapper: true, files: `mvnw .mvn/wrapper/maven-wrapper.properties ${mavenFiles}`, ...tests },
  cmake: { files: "CMakeLists.txt", otherFolder: /^(?:--build|--install|-[SBP].*)$/ },
  ctest: anyTests,
  meson: { files: "meson.build" },
  bazel: { files: "WORKSPACE MODULE.bazel BUILD BUILD.bazel .bazelrc", ...tests },
  gcc: { outputOption: true, version: "--version" },
  "cc clang": { outputOption: true },
  latexmk: { files: "latexmkrc .latexmkrc" },
  lefthook: { files: "lefthook.yml .lefthook.yml lefthook.yaml lefthook.toml lefthook.json" },
  foreman: { files: "Procfile" },
  overmind: { files: "Procfile .overmind.env" },
  nix: { risk: "others", files: nixFiles },
  "nix-shell": { risk: "others", files: "shell.nix default.nix", runs: dottedWords },
  "nix-build": { files: "default.nix", runs: dottedWords },
  "terraform tofu terragrunt pulumi": { runs: inFolders },
  "bats prove": { runs: dottedWords, ...anyTests },
  "ansible-playbook": { runs: dottedWords },
};
