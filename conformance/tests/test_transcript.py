"""The grammar and the patterns of transcripts."""

from __future__ import annotations

import unittest
from typing import Any

from atelier_conformance import wire
from atelier_conformance.atelier.transcript import Difference, Matcher, Play, Transcript


def match(message: str, pattern: str, matcher: Any = None) -> None:
    (matcher or Matcher()).match(wire.parse(message), wire.parse(pattern))


class PatternTests(unittest.TestCase):
    def test_the_same_json_matches(self) -> None:
        for message, pattern in [
            ('{"a":1,"b":[true,null]}', '{"b":[true,null],"a":1}'),
            ("1.0", "1.0"),
            ('"*x"', '"*x"'),
            ('"x"', '"*any*"'),
            ("null", '"*any*"'),
            ('{"a":1,"b":2}', '{"a":1,"…":"*any*"}'),
            ('[{"id":2},{"id":1}]', '[{"id":1},{"id":2}]'),
        ]:
            match(message, pattern)

    def test_other_json_differs_where_it_does(self) -> None:
        for message, pattern, where in [
            ("1", "1.0", 'at "" expected 1.0, got 1'),
            ("1", "true", "expected true"),
            ('"1"', "1", 'got "1"'),
            ('{"a":{"b":1}}', '{"a":{"b":2}}', 'at "/a/b" expected 2, got 1'),
            ('{"a":1}', "{}", 'at "/a" expected nothing'),
            ("{}", '{"a":1}', 'at "/a" expected 1, got nothing'),
            ("[1]", "[1,2]", 'at ""'),
            ("[1,2]", "[2]", "no more answers"),
            ("[1]", "[2]", "2 as answer 0"),
            ("1", '"*odd*"', "a wild card that is known"),
            ("7", '"*id:a*"', "an id"),
        ]:
            with self.assertRaises(Difference) as caught:
                match(message, pattern)
            self.assertIn(where, str(caught.exception))

    def test_ids_are_stored_and_filled_in(self) -> None:
        matcher = Matcher()
        match('{"id":"gen_\\"1"}', '{"id":"*id:a*"}', matcher)
        match('"gen_\\"1"', '"*id:a*"', matcher)
        self.assertEqual(matcher.filled('{"x":"*id:a*","y":"*id:b*"}'), '{"x":"gen_\\"1","y":"*id:b*"}')
        with self.assertRaises(Difference):
            match('"gen_2"', '"*id:a*"', matcher)

    def test_rising_numbers_rise_for_each_generation_and_a_mismatch_stores_nothing(self) -> None:
        matcher = Matcher()
        pattern = '{"method":"p","params":{"generationId":"*any*","n":"*rising*","s":"x"}}'
        message = '{"method":"p","params":{"generationId":"%s","n":%s,"s":"%s"}}'
        match(message % ("a", 5, "x"), pattern, matcher)
        match(message % ("b", 1, "x"), pattern, matcher)
        for wrong in (
            message % ("a", 5, "x"),
            message % ("a", 9, "y"),
            message % ("a", '"9"', "x"),
            message % ("a", "9.5", "x"),
        ):
            with self.assertRaises(Difference):
                match(wrong, pattern, matcher)
        match(message % ("a", 6, "x"), pattern, matcher)


class GrammarTests(unittest.TestCase):
    def test_lines_continue_and_comments_do_not(self) -> None:
        transcript = Transcript('# Title\n\n--> {"method":\n     "a/b"}\n# not this\n<--* 1\n<-- 2\n')
        self.assertEqual(transcript.title, "Title")
        self.assertEqual(
            [(line.number, line.arrow, line.text) for line in transcript.lines],
            [(3, "-->", '{"method":"a/b"}'), (6, "<--*", "1"), (7, "<--", "2")],
        )
        self.assertEqual(transcript.methods(), ["a/b"])

    def test_what_is_none_is_told_by_its_line(self) -> None:
        with self.assertRaisesRegex(ValueError, "line 2"):
            Transcript("# x\n==> 1\n")

    def test_what_may_come_may_come_until_the_next_message(self) -> None:
        play = Play(Transcript("--> 1\n<--* 7\n<-- 8\n<-- 9\n"))
        self.assertEqual(play.due(), ["1"])
        for text in ("7", "7", "8"):
            play.receive(wire.parse(text))
        self.assertEqual(play.due(), [])
        with self.assertRaises(Difference):
            play.receive(wire.parse("7"))
        play.receive(wire.parse("9"))
        self.assertIsNone(play.awaited)
        with self.assertRaises(Difference):
            play.receive(wire.parse("9"))

    def test_numbers_keep_their_digits(self) -> None:
        for text in ("1e400", "-0", "1.0", "123456789012345678901234567890"):
            self.assertEqual(wire.text(wire.parse(text)), text)
        for text in ("NaN", "[Infinity]", "{"):
            with self.assertRaises(ValueError):
                wire.parse(text)
