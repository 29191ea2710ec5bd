"""A shop's basket: a sample whose tests are weakened by the recall test."""

import unittest

import pytest
from shop import Basket, Price


@pytest.fixture
def basket():
    return Basket()


def test_an_empty_basket_costs_nothing(basket):
    assert basket.total == Price(0)
    assert basket.items == []


@pytest.mark.parametrize(
    ("count", "total"),
    [
        (1, 10),
        (2, 20),
        (3, 27),
    ],
)
def test_three_for_less(basket, count, total):
    basket.add("tea", 10, count)
    assert basket.total == total


class TestRemoving:
    def test_what_is_not_there_cannot_go(self, basket):
        with pytest.raises(KeyError):
            basket.remove("tea")
        assert basket.items == []

    def test_one_of_two_stays(self, basket):
        basket.add("tea", 10, 2)
        basket.remove("tea")
        assert basket.count("tea") == 1
        assert basket.total == 10


class BasketTest(unittest.TestCase):
    def test_prices_are_rounded(self):
        rounded = Price(1005).rounded
        self.assertEqual(rounded, 1010)
