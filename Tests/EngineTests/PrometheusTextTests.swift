import Testing

@testable import Engine

@Suite("The text of metrics")
struct PrometheusTextTests {
  @Test("a gauge has a help line, a type and a value for each combination of labels, which are quoted")
  func gauge() {
    var text = PrometheusText()
    text.add("waiting", .gauge, "What waits.", [([("who", "a\"b\\c\nd"), ("how", "")], "3"), ([], "0")])
    text.add("ended_total", .counter, "What ended.", 7)
    #expect(
      text.text == #"""
        # HELP waiting What waits.
        # TYPE waiting gauge
        waiting{who="a\"b\\c\nd",how=""} 3
        waiting 0
        # HELP ended_total What ended.
        # TYPE ended_total counter
        ended_total 7

        """#)
  }

  @Test("a histogram adds up its steps, and ends with all, the sum and the count")
  func histogram() {
    var text = PrometheusText()
    let counts: [(bound: Int64, count: Int)] = [(500, 2), (60_000, 0), (.max, 1)]
    text.add("took_seconds", "How long.", [.init(labels: [("who", "a")], counts: counts, milliseconds: 61_250)])
    #expect(
      text.text == """
        # HELP took_seconds How long.
        # TYPE took_seconds histogram
        took_seconds_bucket{who="a",le="0.5"} 2
        took_seconds_bucket{who="a",le="60.0"} 2
        took_seconds_bucket{who="a",le="+Inf"} 3
        took_seconds_sum{who="a"} 61.25
        took_seconds_count{who="a"} 3

        """)
  }
}
