"""Secrets in a diff: every shape is found, placeholders are not, and no finding ever shows what it found."""

from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.core.records import Finding
from console.core.secrets import SHAPES, find, is_random

_CHANCE = random.Random(7)
LETTERS = string.ascii_letters + string.digits


def some(length: int, letters: str = LETTERS) -> str:
    """Random letters; the tests' tokens are made here, none stands in the source."""
    while True:
        made = "".join(_CHANCE.choice(letters) for _ in range(length))
        if len(set(made)) >= min(8, length):
            return made


HEX = "0123456789abcdef"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
BODY = "\n".join(some(64) for _ in range(3))
TOKENS = {
    "aws-key-id": ["AK" + "IA" + some(16, CAPITALS), "AS" + "IA" + some(16, CAPITALS)],
    "gcp-api-key": ["AI" + "za" + some(35)],
    "gcp-oauth-secret": ["GOC" + "SPX-" + some(28)],
    "gcp-access-token": ["ya" + "29." + some(60)],
    "azure-key": ["Account" + "Key=" + some(86) + "==", "SharedAccess" + "Key=" + some(43) + "="],
    "azure-secret": [some(3) + "8" + "Q~" + some(34)],
    "github-token": ["gh" + "p_" + some(36), "gh" + "s_" + some(36), "github" + "_pat_" + some(22) + "_" + some(59)],
    "gitlab-token": ["gl" + "pat-" + some(20)],
    "slack-token": ["xo" + "xb-" + some(11, "0123456789") + "-" + some(24)],
    "slack-webhook": ["https://hooks.slack" + ".com/services/T" + some(9) + "/B" + some(9) + "/" + some(24)],
    "stripe-key": ["sk" + "_live_" + some(24)],
    "stripe-test-key": ["sk" + "_test_" + some(24)],
    "stripe-webhook": ["wh" + "sec_" + some(32)],
    "npm-token": ["np" + "m_" + some(36)],
    "pypi-token": ["py" + "pi-AgE" + some(80)],
    "openai-key": ["sk" + "-proj-" + some(60), "sk-" + some(20) + "T3Blbk" + "FJ" + some(20), "sk-" + some(48)],
    "anthropic-key": ["sk" + "-ant-api03-" + some(93)],
    "openrouter-key": ["sk" + "-or-v1-" + some(64, HEX)],
    "huggingface-token": ["h" + "f_" + some(34, string.ascii_letters)],
    "sendgrid-key": ["S" + "G." + some(22) + "." + some(43)],
    "digitalocean-token": ["do" + "p_v1_" + some(64, HEX)],
    "shopify-token": ["shp" + "at_" + some(32, HEX)],
    "docker-token": ["dckr" + "_pat_" + some(27)],
    "vault-token": ["hv" + "s." + some(24)],
    "telegram-token": [some(10, "0123456789").replace("0", "1") + ":A" + "A" + some(33)],
    "age-key": ["AGE-SECRET" + "-KEY-1" + some(58, CAPITALS)],
    "jwt": ["ey" + "J" + some(20) + ".ey" + "J" + some(40) + "." + some(43)],
    "private-key": [f"-----BEGIN {kind}PRIVATE KEY-----\n{BODY}" for kind in ("", "RSA ", "OPENSSH ", "ENCRYPTED ")],
    "url-password": ["postgres://shop:" + some(12) + "@db.shop.invalid.net/x"],
}  # fmt: skip
ROWS = [(rule, token) for rule, tokens in TOKENS.items() for token in tokens]


def added(text: str, path: str = "shop/settings.py") -> list[Finding]:
    return find(path, b"a = 1\n", b"a = 1\n" + text.encode())


def test_every_rule_has_a_token_here() -> None:
    assert {shape.rule for shape in SHAPES} <= set(TOKENS)


@pytest.mark.parametrize(("rule", "token"), ROWS, ids=[f"{rule}-{i}" for i, (rule, _) in enumerate(ROWS)])
def test_a_token_is_found_by_its_shape_and_never_shown(rule: str, token: str) -> None:
    for line in (f'X = "{token}"\n', f"X={token}\n", f'{{"a": "b\\n{token}"}}\n'):
        (found,) = added(line)
        assert (found.kind, found.rule, found.line) == ("secret", rule, 2)
        assert found.level == ("medium" if rule == "stripe-test-key" else "high")
        secret = token[len(token) // 2 :]
        assert all(secret[i : i + 4] not in found.text for i in range(len(secret) - 4))


def test_the_text_says_the_kind_the_public_prefix_and_the_length() -> None:
    (found,) = added('t = "gh' + f'p_{some(36)}"\n')
    assert found.text == "GitHub token ghp_…(40 characters)"
    (found,) = added(f"api_key = '{some(40)}'\n")
    assert found.text == "random value assigned to a api_key (40 characters)"
    assert found.level == "medium"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", f'api_key = "{some(32)}"'),
        ("a.ts", f"const clientSecret = '{some(32)}'"),
        ("a.json", f'"password": "{some(20)}"'),
        ("a.yaml", f"db_password: {some(20)}"),
        ("a.tfvars", f"auth_token = {some(40, HEX)}"),
        ("a.go", f'Token := "{some(40)}"'),
        ("a.rb", f':secret => "{some(40)}"'),
    ],
)
def test_a_random_value_with_a_telling_name_is_found(path: str, line: str) -> None:
    assert [found.rule for found in added(line + "\n", path)] == ["named-value"]


@pytest.mark.parametrize(
    "line",
    [
        'API_KEY = os.environ["API_KEY_FOR_PRODUCTION_2024"]',
        'api_key = "${SHOP_API_KEY_2_FROM_VAULT}"',
        'api_key = "your-api-key-1234567890abcd"',
        'password = "changeme-changeme-1234567"',
        'password = "hunter2"',
        'token = "xxxxxxxxxxxxxxxxxxxxxxxx1"',
        "token: SomeLongTypeName2WithGenerics<String>",
        "secret = compute_secret_from(settings, key2048)",
        'SECRET_NAME = "projects/1234/secrets/shop-key"',
        f'token_hash = "{some(64, HEX)}"',
        f'"password": "{"あ" * 20}1a"',
        "tokenizer = AutoTokenizer.from_pretrained(name)",
        '"sk-' + "x" * 48 + '"',
        '"AK' + 'IAIOSFODNN7EXAMPLE"',
        '"gh' + "p_" + "a" * 36 + '"',
        'if "-----BEGIN PRIVATE KEY-----" in text:',
        '"postgres://postgres:postgres@localhost:5432/x"',
        '"https://user:${PASSWORD}@host.net/"',
        '"redis://:password@cache.shop.net"',
        f"integrity sha512-{some(86)}==",
        f'commit = "{some(40, HEX)}"',
        "pass" + "word = forms.CharField(widget=PasswordInput2)",
    ],
)  # fmt: skip
def test_placeholders_references_and_names_are_not_secrets(line: str) -> None:
    assert added(line + "\n") == []


@pytest.mark.parametrize(
    ("path", "content", "rule"),
    [
        (".env", "DEBUG=1\n", "env-file"),
        ("web/.env.production", "export KEY=v\n", "env-file"),
        ("home/id_rsa", "x\n", "key-file"),
        ("certs/shop.p12", "x\n", "key-file"),
        ("certs/shop.jks", "x\n", "key-file"),
        (".netrc", "machine a\n", "key-file"),
    ],
)
def test_files_that_hold_keys_are_named(path: str, content: str, rule: str) -> None:
    (found,) = find(path, None, content.encode())
    assert (found.rule, found.level, found.line) == (rule, "high", 0)


@pytest.mark.parametrize(
    "path", [".env.example", ".env.sample", "shop/.env.template", "id_rsa.pub", "env.py", "a.env.ts"]
)
def test_examples_of_such_files_are_not(path: str) -> None:
    assert find(path, None, b"DEBUG=1\n") == []


def test_a_pem_file_counts_by_what_is_in_it() -> None:
    assert find("a.pem", None, f"-----BEGIN CERTIFICATE-----\n{BODY}\n".encode()) == []
    (found,) = find("a.pem", None, f"-----BEGIN PRIVATE KEY-----\n{BODY}\n".encode())
    assert (found.rule, found.level, found.line) == ("private-key", "high", 1)


def test_in_tests_keys_weigh_less_and_made_up_values_nothing() -> None:
    key = f"-----BEGIN PRIVATE KEY-----\n{BODY}\n"
    assert [found.level for found in added(key, "tests/data/key.pem")] == ["medium"]
    assert added(f'password = "{some(30)}"\n', "tests/test_login.py") == []
    assert [found.level for found in added("gh" + f"p_{some(36)}\n", "tests/test_login.py")] == ["high"]


def test_only_what_is_added_counts() -> None:
    line = ("t = 'gh" + f"p_{some(36)}'\n").encode()
    assert find("a.py", line, b"x = 1\n" + line) == []
    assert find("a.py", line, None) == []
    assert find("a.py", line, line) == []
    assert len(find("a.py", line, line + line)) == 1


def test_utf_16_hides_nothing() -> None:
    content = ("t = 'gh" + f"p_{some(36)}'\n").encode("utf-16")
    assert [found.rule for found in find("a.ps1", None, content)] == ["github-token"]


def test_hundreds_of_them_are_a_bounded_list() -> None:
    many = "".join("gh" + f"p_{some(36)}\n" for _ in range(300))
    assert 1 <= len(added(many)) <= 20
    headers = "-----BEGIN PRIVATE KEY-----\n" * 3000
    assert [found.rule for found in added(headers)] == ["too-many"]


PIECES = [token for _, token in ROWS] + ['password = "', "://", "\n", "'", "eyJ", ".eyJ", "sk-", "token: "]


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(st.text(max_size=30), st.sampled_from([".env", "a.p12", "a.yaml", "tests/a.py"])),
    st.one_of(st.none(), st.binary(max_size=200)),
    st.one_of(
        st.none(),
        st.binary(max_size=200),
        st.lists(st.sampled_from(PIECES), max_size=5).map(lambda parts: "".join(parts).encode()),
        st.sampled_from([b"\xff\xfea", b"\xfe\xff\xd8\x00", b"\xff\xfe" + b"\x00\xd8" * 9]),
    ),
)
def test_no_bytes_make_it_fail(path: str, old: bytes | None, new: bytes | None) -> None:
    for found in find(path, old, new):
        assert found.kind == "secret"
        assert found.level in {"high", "medium"}
        assert found.path == path
        assert found.line >= 0


@pytest.mark.parametrize(
    "unit",
    [b"ghp_", b"sk-", b"eyJ", b".eyJaaaaaaaa", b"password", b"token=", b"://aaaa:bbb", b"1", b"\n", b"\xff", b"8Q~aaa"],
)
def test_five_megabytes_take_a_moment(unit: bytes) -> None:
    content = (unit * (5_000_000 // len(unit) + 1))[:5_000_000]
    start = time.process_time()
    find("a.yaml", None, content)
    assert time.process_time() - start < 3


def test_what_looks_random() -> None:
    assert is_random(some(32))
    assert is_random(some(32, HEX))
    assert not is_random("correct-horse-battery-staple")
    assert not is_random("aaaaaaaaaaaaaaaaaaaaaaa1")
    assert not is_random("settings.shop.api_key2")
