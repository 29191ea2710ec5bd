"""The wheel holds everything: installed outside the checkout, the demo runs from it and lands two commits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = sysconfig.get_path("purelib")


def ran(command: list[str], **kwargs: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, **kwargs)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return str(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one wheel and one sdist."""
    folder = tmp_path_factory.mktemp("built")
    ran([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)], cwd=ROOT)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The python of an environment with the wheel in it; its dependencies are those that run this test."""
    venv = tmp_path_factory.mktemp("installed") / "venv"
    ran([sys.executable, "-m", "venv", "--without-pip", str(venv)])
    python = venv / "bin" / "python"
    paths = {"base": str(venv), "platbase": str(venv)}
    site = Path(sysconfig.get_path("purelib", vars=paths))
    # A folder that a .pth file adds is searched last, and .pth files in it (the editable install) are not read.
    (site / "dependencies.pth").write_text(f"{SITE}\n")
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    ran(pip, cwd=venv)
    return python


def clean_env(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8"}


def test_the_installed_program_brings_its_themes_and_its_demo(installed: Path, tmp_path: Path) -> None:
    asked = (
        "import json, console; from console.tui import theming; from console.adapters import demo;"
        "print(json.dumps([console.__file__, str(theming.themes_dir()), str(demo.demo_dir())]))"
    )
    found = json.loads(ran([str(installed), "-c", asked], cwd=tmp_path, env=clean_env(tmp_path)))
    assert all(Path(place).is_relative_to(installed.parents[1]) for place in found), found
    themes, demo = (Path(place) for place in found[1:])
    assert {file.name for file in themes.iterdir()} == {file.name for file in (ROOT / "themes").glob("*.yaml")}
    wanted = ran(["git", "ls-files", "-co", "--exclude-standard", "demo"], cwd=ROOT).splitlines()
    assert [name for name in wanted if not (demo.parent / name).is_file()] == []


def test_the_demo_lands_two_plans_from_the_installed_program(installed: Path, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    command = [str(installed.parent / "nightdesk"), "demo", "--policies", "--headless", "--dir", str(shop)]
    said = ran(command, cwd=tmp_path, env=clean_env(tmp_path / "home"))
    assert said.count("is landed") == 2, said
    assert str(ROOT) not in (shop / ".nightdesk" / "config.yaml").read_text(), "it ran the checkout's agent"
    log = ran(["git", "log", "--all", "--format=%s"], cwd=shop, env=clean_env(tmp_path))
    assert {"Keep punctuation out of slugs", "Raise the last error of a retried call"} <= set(log.splitlines())


def test_wheel_and_sdist_hold_the_product_and_no_leftovers(built: Path) -> None:
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    in_wheel = zipfile.ZipFile(wheel).namelist()
    with tarfile.open(sdist) as archive:
        in_sdist = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ran(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT).splitlines()
    product = ("console/", "demo/", "themes/", "tests/", "scripts/", "docs/")
    shipped = [name for name in wanted if name.startswith(product)]
    assert [name for name in shipped if name not in in_sdist and (ROOT / name).exists()] == []
    assert {"README.md", "LICENSE", "pyproject.toml", ".ci/run", "console/tui/console.tcss"} <= in_sdist
    code = [name for name in shipped if name.startswith("console/")]
    assert [name for name in code if name not in in_wheel and (ROOT / name).exists()] == []
    left = [name for name in (*in_wheel, *in_sdist) if name.endswith(".pyc") or "__pycache__" in name]
    assert left == []
