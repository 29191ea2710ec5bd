import unittest

from shop.catalogue import by_name


class CatalogueTest(unittest.TestCase):
    def test_ignores_the_case(self):
        self.assertEqual(by_name(["plate", "Mug", "bowl"]), ["bowl", "Mug", "plate"])

    def test_an_empty_list_stays_empty(self):
        self.assertEqual(by_name([]), [])
