/** Python, its package managers and test runners. */
import { anyTests, downloads, type Program, type ProgramRows } from "./program.ts";
import { pytestRuns, pythonRuns, pythonWords, uvRuns } from "./run-files.ts";

const pypi = "pypi.org files.pythonhosted.org";
const python: Program = {
  interprets: "script",
  network: [
    [
      /^(?:-\S+ )*-m (?:pip|pip3|pipx|uv pip) (?:-\S+ )*(?:install|download|wheel)(?: |$)(?!.*--no-index)/,
      "downloads packages",
    ],
  ],
  hosts: pypi,
  caches: "~/.cache/pip",
  ...pythonWords,
  runs: pythonRuns,
  achieves: { kind: "tests-passed", words: /^-m (?:pytest|py\.test|unittest|nose2|tox)(?: |$)/ },
};
const runsOthers: Program = { risk: "project", network: downloads, starts: { after: "run" } };
const pytest: Program = {
  ...anyTests,
  runs: pytestRuns,
  files: "pytest.ini pyproject.toml tox.ini setup.cfg conftest.py",
};

export const pythonTools: ProgramRows = {
  "python python3": { ...python, version: "--version -V" },
  "pypy pypy3": python,
  ipython: { interprets: "script", ...pythonWords, runs: pythonRuns },
  uv: {
    ...runsOthers,
    files: "pyproject.toml uv.toml",
    otherFolder: /^--project/,
    runs: uvRuns,
    offline: { UV_HTTP_RETRIES: "0" },
    asked: { UV_HTTP_TIMEOUT: "600" },
    hosts: pypi,
    caches: "~/.cache/uv",
    ownCache: { variable: "UV_CACHE_DIR", words: /^/ },
  },
  hatch: { ...runsOthers, files: "pyproject.toml hatch.toml" },
  poetry: {
    ...runsOthers,
    files: "pyproject.toml",
    hosts: pypi,
    caches: "~/.cache/pypoetry",
    offline: { POETRY_REQUESTS_MAX_RETRIES: "0" },
  },
  "pipenv rye": runsOthers,
  "pip pip3": {
    risk: "project",
    network: downloads,
    hosts: pypi,
    caches: "~/.cache/pip",
    files: "setup.py pyproject.toml setup.cfg pip.conf",
    // Only with a retry does pip name the reason.
    offline: { PIP_RETRIES: "1", PIP_NO_INPUT: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" },
    asked: { PIP_TIMEOUT: "600", PIP_NO_INPUT: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" },
  },
  pipx: { risk: "others", network: downloads },
  uvx: { risk: "others", network: downloads, ownCache: { variable: "UV_CACHE_DIR", words: /^/ } },
  "pytest py.test": pytest,
  "unittest nose2": anyTests,
  tox: { ...anyTests, files: "tox.ini pyproject.toml setup.cfg" },
  nox: { files: "noxfile.py" },
  invoke: { files: "tasks.py" },
  "pre-commit": { files: ".pre-commit-config.yaml" },
  honcho: { files: "Procfile" },
  flask: { files: "app.py wsgi.py .flaskenv" },
  "ruff black mypy pyright": {},
};
