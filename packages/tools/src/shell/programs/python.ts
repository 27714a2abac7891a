/** Python, its package managers and test runners. */
import { anyTests, downloads, type Program, type ProgramRows } from "./program.ts";
import { pytestRuns, pythonRuns, pythonWords, uvRuns } from "./run-files.ts";

const python: Program = {
  interprets: "script",
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
  uv: { ...runsOthers, files: "pyproject.toml uv.toml", otherFolder: /^--project/, runs: uvRuns },
  hatch: { ...runsOthers, files: "pyproject.toml hatch.toml" },
  poetry: { ...runsOthers, files: "pyproject.toml" },
  "pipenv rye": runsOthers,
  pip: { risk: "project", network: downloads, files: "setup.py pyproject.toml setup.cfg pip.conf" },
  "pipx uvx": { risk: "others", network: downloads },
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
