"""The operator's story on the real screen: two plans, keys that count and keys that do not, leaving and coming back."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.atdesk import DRAWN, AtDesk, Demo, given_back
from tests.e2e.product import Product
from tests.rawterm import violations

SLUG, RETRY = "a lands it on fix-slugify", "a lands it on fix-retry"


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    made = Demo(home=tmp_path / "home", repo=tmp_path / "shop")
    yield made
    made.close()


def test_a_morning_at_a_wide_terminal(demo: Demo) -> None:
    with AtDesk(demo, shell=True) as me:
        me.see("ready>")
        me.type(f"nightdesk demo --policies --dir {demo.repo}\n")
        me.see("◐ 2 wait for you")
        me.turn_to(SLUG)
        plans = demo.plans()
        base = demo.branch("main")
        assert {demo.branch("fix-slugify"), demo.branch("fix-retry")} == {base}

        keys_that_do_not_count(me, demo)
        filtering(me)
        approving(me, demo, plans["fix-slugify"]["plan"])
        undoing(me, demo, base)
        rejecting(me, demo, base)
        help_and_palette(me)
        with AtDesk(demo) as other:
            other.see("attached to pid", "◐ 2 wait for you")
            seen_by_two(me, other, demo, plans["fix-retry"]["plan"])
            leaving(me, demo)
            other.see("attached to pid")
            other.press("q")
            assert other.screen.wait_exit() == 0
        coming_back(me, demo)


def keys_that_do_not_count(me: AtDesk, demo: Demo) -> None:
    """A burst, a paste, and a key for a plan that has only just come into view."""
    me.look(SLUG)
    me.type("aaa")
    me.see("in one piece")
    me.press("escape")
    me.paste("a\na\na")
    me.press("w", "a")
    shown, deadline = me.see(RETRY), time.monotonic() + 20
    while not any(why in shown for why in ("only just appeared", "no plan is shown", "keys came too fast")):
        assert time.monotonic() < deadline, shown
        time.sleep(0.05)
        shown = me.see(RETRY)
    me.turn_to(SLUG)
    assert demo.approvals() == [] and {plan["state"] for plan in demo.all_plans()} == {"waiting"}


def filtering(me: AtDesk) -> None:
    """Letters go into the field, also those that are keys elsewhere."""
    me.press("/")
    me.see("letters filter the list")
    me.type("retried arq")
    me.see("0 of 2 · /retried arq", "letters filter the list")
    me.press(*["backspace"] * 4)
    me.see("1 of 2 · /retried")
    me.press("enter")
    me.see("Needs you (1 of 2 · /retried)", "? help")
    me.press("escape")
    me.see("Needs you (2)")


def approving(me: AtDesk, demo: Demo, plan: str) -> None:
    shown = me.look("Keep punctuation out of slugs", SLUG, f"plan {plan[:10]}")
    assert '+    return "-".join(WORD.findall(title.lower()))' in shown
    frozen = demo.raw(sys.executable, "-m", "console", "plan", "show", plan, "--raw")
    me.press("a")
    me.see("✓ landed on fix-slugify", "◐ 1 waits for you", "✓ 1 landed")
    assert demo.branch("fix-slugify") == plan
    assert demo.raw("git", "show", "--format=", "--full-index", "--no-color", plan) == frozen
    assert demo.git("log", "-1", "--format=%s", "fix-slugify") == "Keep punctuation out of slugs\n"
    worktree = Path(demo.plans()["fix-slugify"]["cwd"])
    assert demo.git("status", "--porcelain", cwd=worktree) == "" == demo.git("status", "--porcelain")


def taking_back(me: AtDesk, what: str) -> None:
    me.press("u")
    me.see(f"press u again to take back the {what}")
    me.press("u")
    me.see("◐ 2 wait for you")


def undoing(me: AtDesk, demo: Demo, base: str) -> None:
    assert demo.branch("fix-slugify") != base
    taking_back(me, "approval")
    me.see(SLUG)
    assert demo.branch("fix-slugify") == base
    worktree = Path(demo.plans()["fix-slugify"]["cwd"])
    assert demo.git("status", "--porcelain", cwd=worktree) == " M shop/slugify.py\n", "the work stays"


def rejecting(me: AtDesk, demo: Demo, base: str) -> None:
    me.turn_to(RETRY)
    me.press("r")
    me.see("⊘ rejected, nothing landed", "◐ 1 waits for you")
    assert demo.branch("fix-retry") == base and demo.plans()["fix-retry"]["state"] == "rejected"
    taking_back(me, "rejection")
    me.see(RETRY)


def help_and_palette(me: AtDesk) -> None:
    me.press("?")
    me.see("Keys: desk")
    me.press("?")
    me.see_no("Keys: desk")
    me.press(":")
    me.see("Search for commands")
    me.type("Next")
    me.see("Next waiting")
    me.press("enter")
    me.look(SLUG)
    me.turn_to(RETRY)


def seen_by_two(me: AtDesk, other: AtDesk, demo: Demo, plan: str) -> None:
    """What the second console approves, the first one shows; neither has more than one key for one plan."""
    other.turn_to(RETRY)
    other.press("a")
    other.see("✓ landed on fix-retry")
    me.see("✓ landed on fix-retry", "◐ 1 waits for you")
    assert demo.branch("fix-retry") == plan
    me.press("a")
    me.see("has landed already")
    assert demo.approvals().count(plan) == 1


def leaving(me: AtDesk, demo: Demo) -> None:
    me.press("q")
    me.at_the_prompt()
    me.type("echo and the shell is $((40 + 2))\n")
    me.see("and the shell is 42")
    me.not_drawn_over()
    status = demo.ok("status", "--json").json
    assert status["supervisor"]["running"] and status["counts"]["idle"] == 2, "what ran goes on"


def coming_back(me: AtDesk, demo: Demo) -> None:
    me.type(f"nightdesk --workspace {demo.repo}\n")
    me.see("attached to pid", "◐ 1 waits for you", "✓ 1 landed", SLUG)
    me.press("q")
    me.at_the_prompt()
    me.type("exit\n")
    assert me.screen.wait_exit() == 0
    me.not_drawn_over()


@pytest.mark.parametrize("late", ["\x1b[12;1H│ x", "╭─ 1 Needs you", "\x1b[2J", "\x1b[K"])
def test_a_late_frame_over_the_prompt_would_be_noticed(late: str) -> None:
    clean = b"\x1b[?1049h\x1b[1;1Hframe\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004lleft; what runs goes on\r\nready> "
    assert not DRAWN.search(given_back(clean)) and DRAWN.search(given_back(clean + late.encode()))
    assert given_back(clean + b"\x1b[?1049hagain") == b"", "a console that is open draws as it likes"


@pytest.mark.slow
def test_the_same_at_80x24_and_then_on_a_phone(demo: Demo) -> None:
    with AtDesk(demo, "demo", "--policies", "--dir", str(demo.repo), size=(80, 24), COLORTERM="") as me:
        me.see("◐ 2 wait for you")
        me.turn_to(SLUG)
        shown = me.look(SLUG, "Keep punctuation out of slugs · fix-slugify · 1 file +5 -1")
        assert "a approve  r reject  w next  ? help  m review  q leave" in shown
        me.press("/")
        me.see("letters filter the list")
        me.type("slugs")
        me.see("1 of 2 · /slugs")
        me.press("escape", "5")
        me.see("5 Log", "waits for you: Raise the last error")
        me.press("2")
        me.see("fix-retry", "2 turns")
        me.press("3", "g", "enter")
        me.look(SLUG)
        me.press("a")
        me.see("✓ landed on fix-slugify")
        taking_back(me, "approval")
        me.press("?")
        me.see("Keys: desk")
        me.press("escape", "w")
        me.look("waits for you · a lands it on")
        me.press("r")
        me.see("⊘ rejected")
        taking_back(me, "rejection")
        me.press("q")
        assert me.screen.wait_exit() == 0
        assert violations(me.screen.raw()) == []
    with AtDesk(demo, size=(50, 20), NO_COLOR="1") as me:
        on_a_phone(me, demo)


def on_a_phone(me: AtDesk, demo: Demo) -> None:
    shown = me.look("◐ 2 wait for you", "Enter open")
    assert "a approve" not in shown
    me.press("a")
    me.see("no plan is shown; open one first")
    me.press("enter")
    me.turn_to(SLUG)
    shown = me.look(SLUG, "a approve  r reject  w next")
    me.press("a")
    me.see("✓ landed on fix-slugify")
    assert demo.branch("fix-slugify") == demo.plans()["fix-slugify"]["plan"]
    me.press("w")
    me.look(RETRY)
    me.press("backspace")
    me.see("1 Needs you (1)")
    me.press("q")
    assert me.screen.wait_exit() == 0
    raw = me.screen.raw()
    assert violations(raw) == [] and b"38;2;" not in raw and b"38;5;" not in raw


@pytest.mark.slow
def test_an_alert_holds_the_key_until_it_is_restored_and_a_rollback_can_be_taken_back(product: Product) -> None:
    session, _, plan = product.hello("fix-hello")
    with AtDesk(product) as me:
        me.see("1 waits for you", "2 Sessions (1) · ")
        product.git("config", "core.fsmonitor", "/bin/false")
        me.look("a lands it on fix-hello")
        me.press("a")
        me.see("! 1 alert", "alert-1 holds its approval")
        me.press("w")
        me.look("runs a program: config core.fsmonitor", "Z restore")
        me.press("Z")
        me.see("press Z again to put back as it was")
        me.press("Z")
        me.see_no("1 alert")
        assert "fsmonitor" not in (product.repo / ".git" / "config").read_text()
        me.press("w")
        me.look("a lands it on fix-hello")
        me.press("a")
        me.see("✓ landed on fix-hello")
        assert product.git("rev-parse", "fix-hello").strip() == plan
        going_back_and_forth(me, product.worktree(session) / "hello.txt")
        me.press("q")
        assert me.screen.wait_exit() == 0
        assert violations(me.screen.raw()) == []


def going_back_and_forth(me: AtDesk, made: Path) -> None:
    """The file that the turn made goes away and comes back."""
    wrote = made.read_bytes()
    me.press("2", "B")
    me.see("Put back the files of", "before turn 1")
    me.press("j", "enter")
    me.see("nothing, leave it", "D hello.txt", "would change")
    me.press("enter")
    me.see_no("nothing, leave it")
    assert made.exists(), "Enter on a fresh dialog changes nothing"
    back(me, "before turn 1")
    assert not made.exists()
    back(me, "before a rollback (undoes it)")
    assert made.read_bytes() == wrote


def back(me: AtDesk, which: str) -> None:
    done = me.screen.text().count("rolled back to")
    me.press("B")
    shown = me.see("Put back the files of", which)
    rows = [row for row in shown.split("\n") if "  before " in row]
    me.press(*["j"] * (1 + next(i for i, row in enumerate(rows) if which in row)), "enter")
    me.see("would change")
    me.press("j", "enter")
    me.screen.wait_until(lambda: me.screen.text().count("rolled back to") > done, 30, "the rollback")


@pytest.fixture
def gpg(product: Product) -> Iterator[Product]:
    """The operator signs with a GPG key of their own, whose passphrase the agent does not know."""
    if not (shutil.which("gpg") and shutil.which("pinentry-curses")):
        pytest.skip("gpg and pinentry-curses are not installed")
    home = product.home / ".gnupg"
    home.mkdir(mode=0o700)
    pinentry = f"pinentry-program {shutil.which('pinentry-curses')}\npinentry-timeout 20\n"
    (home / "gpg-agent.conf").write_text(pinentry)
    key = ("--batch", "--pinentry-mode", "loopback", "--passphrase", "sesame", "--quick-gen-key")
    who = "Operator <operator@example.org>"
    subprocess.run(["gpg", *key, who, "ed25519", "sign", "never"], env=product.env, check=True, capture_output=True)
    forget = ["gpgconf", "--kill", "gpg-agent"]
    subprocess.run(forget, env=product.env, check=True)
    product.git("config", "--global", "commit.gpgsign", "true")
    yield product
    subprocess.run(forget, env=product.env, check=True)


@pytest.mark.slow
def test_a_locked_gpg_key_is_unlocked_by_its_pinentry_on_this_terminal(gpg: Product) -> None:
    _, _, plan = gpg.hello("signed")
    with AtDesk(gpg) as me:
        me.look("a lands it on signed")
        me.press("a")
        me.look("the signing key is locked: U unlocks it here, then a again")
        me.press("U")
        me.look("Passphrase", "Operator")
        me.press("ctrl+c")
        me.look("Passphrase", "Operator")  # it outlives gpg, and the desk stays away as long as it is there
        me.press("escape")
        me.look("the key stays locked", "the signing key is locked")
        me.press("U")
        me.look("Passphrase", "Operator")
        me.type("sesame\r")
        me.look("the signing key is unlocked; press a to land the plan", "say hello · signed")
        assert len(gpg.events(types="plan:approved")) == 1, "no key of the passphrase was a key of the desk"
        me.press("a")
        me.see("✓ landed on signed, signed")
        me.press("q")
        assert me.screen.wait_exit() == 0
    landed = gpg.git("rev-parse", "signed").strip()
    assert landed != plan and gpg.git("log", "-1", "--format=%G? %GS", landed).startswith("G Operator")
