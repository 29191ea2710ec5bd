import unittest

from shop.cart import merged


class CartTest(unittest.TestCase):
    def test_counts_add_up(self):
        self.assertEqual(merged({"mug": 1}, {"mug": 2, "bowl": 1}), {"mug": 3, "bowl": 1})

    def test_an_empty_cart_changes_nothing(self):
        self.assertEqual(merged({"mug": 1}, {}), {"mug": 1})
