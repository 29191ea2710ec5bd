"""Every way known to make git run a program from inside a repository, each with the plain command that sets it off."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from canaries import Armed, Vector, data, dirty, plain
from gitrepo import Repo

FORMS = ("direct", "include", "includeIf", "config.worktree")
FROM = ("tree", "info/attributes", "core.attributesFile")
OF_COMMIT = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
OF_PUSH = ("pre-receive", "update", "post-receive", "post-update")
OF_AM = ("applypatch-msg", "pre-applypatch", "post-applypatch")


def _hook(armed: Armed, folder: str, hook: str, name: str) -> None:
    place = armed.repo.root / folder
    place.mkdir(parents=True, exist_ok=True)
    (place / hook).symlink_to(armed.program(name))


def _keyed(name: str, key: str, *fire: str, form: str = "direct", **more: str) -> Vector:
    """A setting that names a program, fired by one command."""

    def arm(armed: Armed) -> None:
        armed.config(key, armed.program(name), form)
        for other, value in more.items():
            armed.config(other.replace("__", "."), value)

    return Vector(name, arm, lambda armed: armed.run(*fire), {key: name})


def _fsmonitor() -> Iterator[Vector]:
    for form in FORMS:
        yield _keyed(f"fsmonitor {form}", "core.fsmonitor", "status", form=form)


def _driver(kind: str, key: str, source: str, form: str, fire: Callable[[Armed, str], object]) -> Vector:
    name = f"{kind} {key} {source} {form}"
    driver = plain(name)

    def arm(armed: Armed) -> None:
        armed.config(f"{kind}.{driver}.{key}", armed.program(name), form)
        armed.attribute(f"{data(name)} {kind}={driver}", source)
        if source == "tree":
            armed.repo.write(data(name), (armed.repo.root / data(name)).read_bytes())

    return Vector(name, arm, lambda armed: fire(armed, data(name)))


def _changed(*args: str) -> Callable[[Armed, str], object]:
    def fire(armed: Armed, path: str) -> object:
        dirty(armed, path)
        return armed.run(*args, "--", path)

    return fire


def _looked_at(armed: Armed, path: str) -> object:
    """Another content of the same size, so that git has to look inside."""
    place = armed.repo.root / path
    place.write_text(place.read_text().swapcase())
    os.utime(place, (1, 1))
    return armed.run("status")


def _merged(armed: Armed, _path: str) -> object:
    return armed.run("merge", "--no-edit", "side")


def _drivers() -> Iterator[Vector]:
    for source in FROM:
        yield _driver("filter", "clean", source, "direct", _changed("add"))
        yield _driver("filter", "process", source, "direct", _changed("add"))
        yield _driver("filter", "smudge", source, "direct", _changed("checkout"))
        yield _driver("diff", "command", source, "direct", _changed("diff"))
        yield _driver("diff", "textconv", source, "direct", _changed("diff"))
        yield _driver("merge", "driver", source, "direct", _merged)
    for form in FORMS[1:]:
        yield _driver("filter", "clean", "info/attributes", form, _looked_at)
        yield _driver("filter", "smudge", "info/attributes", form, _changed("checkout"))
        yield _driver("diff", "textconv", "info/attributes", form, _changed("diff"))
    yield _driver("diff", "textconv", "tree", "include", lambda armed, _path: armed.run("log", "-p"))
    for form in FORMS:
        name = f"diff.external {form}"
        yield Vector(
            name,
            lambda armed, name=name, form=form: armed.config("diff.external", armed.program(name), form),  # type: ignore[misc]
            lambda armed: _changed("diff")(armed, "a.txt"),
            {"diff.external": form},
        )


def _hook_vector(hook: str, fire: Callable[[Armed], object], before: Callable[[Armed], None] | None = None) -> Vector:
    def arm(armed: Armed) -> None:
        if before:
            before(armed)
        _hook(armed, ".git/hooks", hook, f"hook {hook}")

    return Vector(f"hook {hook}", arm, fire, {"core.hooksPath": "", **({"gc": hook} if "gc" in hook else {})})


def _commit(armed: Armed, *args: str) -> object:
    return armed.run("commit", "--allow-empty", "-m", "x", *args)


def _apply(armed: Armed) -> object:
    patch = armed.run("format-patch", "--stdout", "HEAD~1", "--", "later.txt")
    armed.run("reset", "-q", "--hard", "HEAD~1")
    return armed.run("am", stdin=patch)


def _rebase(armed: Armed) -> object:
    return armed.run("rebase", "-f", "HEAD~1")


def _pushed_into(armed: Armed, target: str = "refs/heads/new") -> object:
    other = armed.repo.root.parent / "library/shop"
    armed.run("fetch", "-q", str(armed.repo.root), "main", cwd=other)
    oid = armed.run("commit-tree", "-p", "FETCH_HEAD", "-m", "x", "FETCH_HEAD^{tree}", cwd=other).decode().strip()
    return armed.run("push", "-q", str(armed.repo.root), f"{oid}:{target}", cwd=other)


def _pushes(armed: Armed) -> object:
    armed.run("init", "-q", "--bare", "../target.git")
    return armed.run("push", "-q", "../target.git", "main")


def _ours_merge(armed: Armed) -> object:
    return armed.run("merge", "-q", "-s", "ours", "-m", "x", "side")


def _collect(armed: Armed) -> None:
    armed.config("gc.auto", "1")
    armed.config("gc.autoDetach", "false")


def _hooks() -> Iterator[Vector]:
    for hook in OF_COMMIT:
        yield _hook_vector(hook, _commit)
    for hook in OF_AM:
        yield _hook_vector(hook, _apply)
    for hook in OF_PUSH:
        yield _hook_vector(hook, _pushed_into)
    yield _hook_vector("pre-merge-commit", _ours_merge)
    yield _hook_vector("post-merge", _ours_merge)
    yield _hook_vector("pre-rebase", _rebase)
    yield _hook_vector("post-rewrite", lambda armed: _commit(armed, "--amend"))
    yield _hook_vector("post-checkout", lambda armed: armed.run("checkout", "-q", "side"))
    yield _hook_vector("pre-push", _pushes)
    yield _hook_vector("reference-transaction", lambda armed: armed.run("update-ref", "refs/heads/x", "HEAD"))
    yield _hook_vector("post-index-change", lambda armed: _changed("add")(armed, "a.txt"))
    yield _hook_vector("pre-auto-gc", lambda armed: armed.run("gc", "--auto"), _collect)
    yield _hook_vector(
        "push-to-checkout", lambda armed: _pushed_into(armed, "refs/heads/main"),
        lambda armed: armed.config("receive.denyCurrentBranch", "updateInstead"),
    )  # fmt: skip
    yield _hook_vector(
        "proc-receive", lambda armed: _pushed_into(armed, "refs/for/main"),
        lambda armed: armed.config("receive.procReceiveRefs", "refs/for"),
    )  # fmt: skip
    for form in FORMS:
        yield _hooks_path(form)


def _hooks_path(form: str) -> Vector:
    name = f"core.hooksPath {form}"

    def arm(armed: Armed) -> None:
        _hook(armed, "team-hooks", "post-index-change", name)
        _hook(armed, "team-hooks", "reference-transaction", name)
        armed.config("core.hooksPath", "team-hooks", form)

    return Vector(name, arm, lambda armed: _changed("add")(armed, "a.txt"), {"core.hooksPath": form})


def _signatures() -> Iterator[Vector]:
    sign = {"commit__gpgSign": "true", "user__signingKey": "key::ssh-ed25519 AAAA"}
    for name, key, form in (
        ("gpg.program", "gpg.program", "openpgp"), ("gpg.openpgp.program", "gpg.openpgp.program", "openpgp"),
        ("gpg.ssh.program", "gpg.ssh.program", "ssh"), ("gpg.x509.program", "gpg.x509.program", "x509"),
    ):  # fmt: skip
        made = _keyed(name, key, "commit", "--allow-empty", "-m", "x", **sign, gpg__format=form)
        yield Vector(name, made.arm, made.fire, {"gpg": name})
    made = _keyed(
        "gpg.ssh.defaultKeyCommand", "gpg.ssh.defaultKeyCommand", "commit", "--allow-empty", "-m", "x",
        commit__gpgSign="true", gpg__format="ssh",
    )  # fmt: skip
    yield Vector(made.name, made.arm, made.fire, {"gpg": made.name})
    made = _keyed("tag.gpgSign", "gpg.program", "tag", "-m", "x", "v1", tag__gpgSign="true")
    yield Vector(made.name, made.arm, made.fire, {"gpg": made.name})
    yield Vector("log.showSignature", _signed, lambda armed: armed.run("log", "-1"), {"gpg": "log.showSignature"})


def _signed(armed: Armed) -> None:
    """A commit with a signature nobody made, and a log that wants it verified."""
    head = armed.repo.git("cat-file", "commit", "HEAD").decode()
    fields, text = head.split("\n\n", 1)
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----"
    body = f"{fields}\n{signature}\n\n{text}".encode()
    oid = armed.repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=body).decode().strip()
    (armed.repo.root / ".git/refs/heads/main").write_text(oid + "\n")
    armed.config("gpg.program", armed.program("log.showSignature"))
    armed.config("log.showSignature", "true")


def _remotes() -> Iterator[Vector]:
    def fetching(name: str, *settings: tuple[str, str], verb: str = "fetch") -> Vector:
        remote = plain(name)

        def arm(armed: Armed) -> None:
            program = armed.program(name)
            for key, value in settings:
                armed.config(key.format(remote=remote, program=program), value.format(program=program))

        how = (verb, remote) if verb == "fetch" else (verb, remote, "main")
        return Vector(
            name, arm, lambda armed: armed.run(*how), {key: name for key, _ in settings if "remote." not in key}
        )

    ssh = ("remote.{remote}.url", "ssh://nowhere.invalid/x")
    yield fetching("core.sshCommand", ssh, ("core.sshCommand", "{program}"))
    yield fetching("core.gitProxy", ("remote.{remote}.url", "git://nowhere.invalid/x"), ("core.gitProxy", "{program}"))
    here = ("remote.{remote}.url", ".")
    yield fetching("remote uploadpack", here, ("remote.{remote}.uploadpack", "{program}"))
    yield fetching("remote receivepack", here, ("remote.{remote}.receivepack", "{program}"), verb="push")
    ext = ("protocol.ext.allow", "always")
    yield fetching("remote ext", ("remote.{remote}.url", "ext::{program} x"), ext)
    yield fetching(
        "url insteadOf", ("remote.{remote}.url", "https://nowhere.invalid/x"), ext,
        ("url.ext::{program} .insteadOf", "https://nowhere.invalid/"),
    )  # fmt: skip
    yield _promisor("promisor core.sshCommand", "ssh://nowhere.invalid/x")
    yield _promisor("promisor ext", "ext::{program} x")


def _promisor(name: str, url: str) -> Vector:
    """A missing object makes git ask the remote that promised it."""
    missing = "1" * 40

    def arm(armed: Armed) -> None:
        program = armed.program(name)
        for key, value in (
            ("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "p"), ("remote.p.promisor", "true"),
            ("remote.p.url", url.format(program=program)), ("core.sshCommand", program),
            ("protocol.ext.allow", "always"),
        ):  # fmt: skip
            armed.config(key, value)

    slots = {"extensions.partialClone": name, "core.sshCommand": name, "protocol.ext.allow": name}
    return Vector(name, arm, lambda armed: armed.run("cat-file", "-p", missing), slots)


def _submodules() -> Iterator[Vector]:
    module = ".git/modules/sub"

    def fsmonitor(armed: Armed) -> None:
        armed.config("core.fsmonitor", armed.program("submodule fsmonitor"), git_dir=module)

    def clean(armed: Armed) -> None:
        armed.config("filter.x.clean", armed.program("submodule filter"), git_dir=module)
        (armed.repo.root / module / "info").mkdir(exist_ok=True)
        (armed.repo.root / module / "info/attributes").write_text("a.txt filter=x\n")

    def in_sub(armed: Armed) -> object:
        os.utime(armed.repo.root / "sub/other.txt", (1, 1))
        return _looked_at(armed, "sub/a.txt")

    def hook(armed: Armed) -> None:
        _hook(armed, f"{module}/hooks", "post-index-change", "submodule hook")

    def update(armed: Armed) -> None:
        armed.config("submodule.sub.update", "!" + armed.program("submodule update"))

    def updates(armed: Armed) -> object:
        (armed.repo.root / "sub/later.txt").write_text("later\n")
        armed.run("add", "-A", cwd=armed.repo.root / "sub")
        armed.run("commit", "-qm", "x", cwd=armed.repo.root / "sub")
        return armed.run("submodule", "update")

    yield Vector("submodule fsmonitor", fsmonitor, in_sub)
    yield Vector("submodule filter", clean, in_sub)
    yield Vector("submodule hook", hook, in_sub)
    yield Vector("submodule update", update, updates)


def _others() -> Iterator[Vector]:
    yield _keyed("core.editor", "core.editor", "commit", "--allow-empty")
    yield _keyed("sequence.editor", "sequence.editor", "rebase", "-i", "HEAD~1")
    for key in ("credential.helper", "credential.https://nowhere.invalid.helper", "core.askPass"):
        made = _keyed(key, key)
        ask = b"protocol=https\nhost=nowhere.invalid\n\n"
        yield Vector(key, made.arm, lambda armed, ask=ask: armed.run("credential", "fill", stdin=ask), {"ask": key})  # type: ignore[misc]
    yield Vector(
        "alias", lambda armed: armed.config("alias.st", "!" + armed.program("alias")), lambda armed: armed.run("st")
    )
    yield _keyed("trailer", "trailer.x.command", "interpret-trailers", "--trailer", "x=1")
    yield Vector(
        "difftool", lambda armed: armed.config("difftool.x.cmd", armed.program("difftool")),
        lambda armed: _changed("difftool", "-y", "--tool=x")(armed, "a.txt"),
    )  # fmt: skip
    yield _keyed("browser", "browser.x.cmd", "web--browse", "--tool=x", "http://nowhere.invalid")
    yield _keyed("archive", "tar.x.command", "archive", "--format=x", "-o", "../out.x", "HEAD")
    yield Vector("alternateRefsCommand", _borrow, lambda armed: armed.run("rev-list", "--alternate-refs"))


def _borrow(armed: Armed) -> None:
    other = armed.repo.root.parent / "library/shop/.git/objects"
    armed.repo.write(".git/objects/info/alternates", f"{other}\n")
    armed.config("core.alternateRefsCommand", armed.program("alternateRefsCommand"))


VECTORS = (
    *_fsmonitor(), *_drivers(), *_hooks(), *_signatures(), *_remotes(), *_submodules(), *_others(),
)  # fmt: skip


SILENT: tuple[tuple[Vector, str], ...] = (
    (_keyed("core.pager", "core.pager", "log"), "a pager starts on a terminal only"),
    (_keyed("pager.log", "pager.log", "log"), "a pager starts on a terminal only"),
    (_keyed("alias of a builtin", "alias.status", "status"), "git ignores an alias for a command of its own"),
    (
        _keyed("uploadpack.packObjectsHook", "uploadpack.packObjectsHook", "fetch", ".", "main"),
        "git takes this one from the operator's own configuration only",
    ),
    (_keyed("merge.tool", "mergetool.x.cmd", "mergetool", "--tool=x"), "a merge tool starts on a conflict only"),
    (
        _keyed("interactive.diffFilter", "interactive.diffFilter", "add", "-p", "--", "a.txt"),
        "the filter is for colours on a terminal only",
    ),
    (_keyed("imap.tunnel", "imap.tunnel", "imap-send"), "needs mail to send"),
)
"""Vectors that plain git does not follow without a terminal or the network, with the reason."""


# -- repositories to put them in


def template(place: Path) -> Repo:
    """A repository with a file for each vector, two branches that differ in all of them, and a submodule."""
    place.mkdir()
    (place / "library").mkdir()
    library = Repo.with_files(place / "library")
    repo = Repo.make(place)
    for name in ("a.txt", "src/app.py", *(data(one.name) for one in VECTORS)):
        repo.write(name, f"{name}\n" * 5)
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "sub")
    repo.commit("first")
    repo.git("switch", "-q", "-c", "side")
    for one in VECTORS:
        repo.write(data(one.name), "side\n")
    repo.commit("second")
    repo.git("switch", "-q", "main")
    repo.write("later.txt", "later\n")
    for one in VECTORS:
        repo.write(data(one.name), "main\n")
    repo.commit("third")
    shutil.rmtree(repo.root / ".git/hooks")
    (repo.root / ".git/hooks").mkdir()
    return repo


def copied(repo: Repo, place: Path) -> Armed:
    """A copy of the template that knows nothing of the original."""
    shutil.copytree(repo.root.parent, place, symlinks=True)
    new = Repo(Path(os.path.realpath(place / "shop")), place / "home", place / "state", place / "data")
    (place / "marks").mkdir()
    return Armed(new, place / "marks")
