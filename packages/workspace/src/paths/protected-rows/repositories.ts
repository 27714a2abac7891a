/** Files that version control, its hooks and servers obey. */
import { anyOf } from "../../patterns.ts";
import { data, named, type ProtectedRow, script } from "./row.ts";

const pipelines =
  "travis cirrus appveyor woodpecker drone azure-pipelines? bitbucket-pipelines buildspec cloudbuild appspec amplify codemagic bitrise wercker shippable screwdriver codefresh codeship-services codeship-steps jitpack scrutinizer semaphore harness vela concourse gocd zuul packit taskcluster prow agola onedev-buildspec render heroku relay codebuild argo mergify readthedocs";

export const repositoryRows: readonly ProtectedRow[] = [
  {
    names: ".git .hg .svn .jj .sl .pijul .bzr _darcs",
    family: /^(?:\.fslckout|_fossil_|\.fossil-settings|\.dvc|\.repo|\.eden|\.stgit|\.got|_mtn)$/,
    reason: "version control runs its hooks and obeys its configuration",
  },
  { names: ".gitmodules", reason: "git fetches repositories from the addresses in it" },
  {
    names: ".gitattributes .hgsub .hgeol",
    reason: "it chooses the filters, diff programs and merge programs that git runs",
    common: true,
  },
  { names: ".husky .githooks .git-hooks .lefthook .overcommit", reason: "git runs its files as hooks" },
  {
    names: `.pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml prek.toml .overcommit.yml
      .local-overcommit.yml captainhook.json .rusty-hook.toml .githooks.toml hk.pkl .hk.pkl .gitlint .trunk cog.toml .arcconfig
      .arclint .hooks git-hooks githooks .pre-commit`,
    family: anyOf(
      /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$/,
      /^\.?grumphp\.ya?ml(?:\.dist)?$/,
      named(
        "simple-git-hooks simple-pre-commit nano-staged lint-staged commitlint cz git-cz hk hooky",
        `${script}|${data}`,
      ),
      named("release-it goreleaser releaserc semantic-release standard-version", `${script}|${data}`),
    ),
    reason: "git hooks run the commands in it",
    common: true,
  },
  {
    names: `.github/workflows .github/actions .gitlab-ci.yml .gitlab/ci .circleci .buildkite .woodpecker .drone.yml
      .semaphore .tekton .drone .builds .build.yml .teamcity .azure-pipelines .azuredevops .harness .codefresh .concourse
      .jenkins .screwdriver .zuul.d zuul.d .cirrus.star .travis .codebuild .mint .rwx .cds .agola .gocd .prow
      .ci-operator.yaml .copr .kokoro .werft .space.kts .platform .platform.app.yaml .upsun ci_scripts netlify.toml
      vercel.json now.json fly.toml railway.json railway.toml nixpacks.toml earthfile skaffold.yaml gitlab-ci.yml
      .gitlab-ci .argo .sourcehut .ebextensions .elasticbeanstalk`,
    places: /^\.[\w-]+\/(?:workflows|actions|pipelines)(?:\/|$)/,
    family: anyOf(
      new RegExp(`^\\.?(?:${pipelines.split(" ").join("|")})(?:[.-][\\w.-]+)?\\.ya?ml$`),
      /^(?:[\w.-]+\.|\.)gitlab-ci(?:[.-][\w-]+)*\.ya?ml$/,
      /^jenkinsfile(?:[.-].+)?$|^dangerfile(?:\..+)?$/,
    ),
    reason: "a server runs the commands in it by itself after a push, with the project's keys",
    common: true,
  },
];
