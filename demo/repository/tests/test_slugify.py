import unittest

from shop.slugify import slugify


class SlugifyTest(unittest.TestCase):
    def test_joins_words(self):
        self.assertEqual(slugify("Blue Mug"), "blue-mug")

    def test_leaves_no_punctuation(self):
        self.assertEqual(slugify("  Blue Mug, 0.3 l -- new! "), "blue-mug-0-3-l-new")
