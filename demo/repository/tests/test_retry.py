import unittest

from shop.retry import retry


class RetryTest(unittest.TestCase):
    def setUp(self):
        self.pauses = []
        self.calls = 0

    def fail_twice(self):
        self.calls += 1
        if self.calls < 3:
            raise ConnectionError("not yet")
        return "paid"

    def fail_always(self):
        self.calls += 1
        raise ConnectionError("no network")

    def test_returns_what_works_at_last(self):
        self.assertEqual(retry(self.fail_twice, pause=self.pauses.append), "paid")
        self.assertEqual(self.pauses, [0.1, 0.2])

    def test_gives_up_with_the_last_error(self):
        with self.assertRaises(ConnectionError):
            retry(self.fail_always, pause=self.pauses.append)
        self.assertEqual(self.calls, 3)
        self.assertEqual(self.pauses, [0.1, 0.2])
