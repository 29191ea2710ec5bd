import unittest

from shop.stock import read_counts


class StockTest(unittest.TestCase):
    def test_reads_one_product_a_line(self):
        self.assertEqual(read_counts("mug;12\nbowl; 3\n"), {"mug": 12, "bowl": 3})

    def test_passes_over_empty_lines(self):
        self.assertEqual(read_counts("mug;12\n\nbowl;3\n"), {"mug": 12, "bowl": 3})
