import unittest

from shop.prices import show, with_tax


class PricesTest(unittest.TestCase):
    def test_shows_cents_and_thousands(self):
        self.assertEqual(show(123456), "1,234.56 EUR")

    def test_shows_a_refund(self):
        self.assertEqual(show(-5), "-0.05 EUR")

    def test_rounds_tax_half_up(self):
        self.assertEqual(with_tax(250, 7), 268)
