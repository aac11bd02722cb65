import AtelierProtocol
import Testing

@testable import Store

@Suite("The months of a subscription")
struct MonthlyPeriodsTests {
  private func at(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  @Test(
    "the months of a subscription count from the first day, on the last where that is missing (LEDGER rule 5)",
    arguments: [
      ("2026-01-31T10:00:00.000Z", [
        "2026-02-28T10:00:00.000Z", "2026-03-31T10:00:00.000Z", "2026-04-30T10:00:00.000Z", "2026-05-31T10:00:00.000Z",
      ]),
      ("2028-01-30T00:00:00.000Z", ["2028-02-29T00:00:00.000Z", "2028-03-30T00:00:00.000Z"]),
      ("2027-11-30T23:59:59.999Z", [
        "2027-12-30T23:59:59.999Z", "2028-01-30T23:59:59.999Z", "2028-02-29T23:59:59.999Z", "2028-03-30T23:59:59.999Z",
      ]),
      ("2026-12-15T00:00:00.000Z", ["2027-01-15T00:00:00.000Z"]),
    ])
  func clamped(anchor: String, following: [String]) throws {
    let months = MonthlyPeriods(from: try at(anchor), until: nil)
    for (number, text) in following.enumerated() {
      let start = try at(text)
      #expect(months.start(of: number + 1) == start)
      #expect(months.period(at: start)?.number == number + 1)
      #expect(months.period(at: Timestamp(milliseconds: start.milliseconds - 1))?.number == number)
    }
  }

  @Test(
    "the months of a subscription end with the subscription, whose last is as long as the rest",
    arguments: [
      // (ends, asked at, number, its end)
      ("2026-02-28T00:00:00.000Z", "2026-02-27T00:00:00.000Z", 0, "2026-02-28T00:00:00.000Z"),
      // A store's month may be longer than ours: what is left over is no month of its own.
      ("2026-03-03T00:00:00.000Z", "2026-03-02T00:00:00.000Z", 0, "2026-03-03T00:00:00.000Z"),
      ("2026-03-31T00:00:00.000Z", "2026-02-28T00:00:00.000Z", 1, "2026-03-31T00:00:00.000Z"),
      ("2026-02-10T00:00:00.000Z", "2026-02-09T00:00:00.000Z", 0, "2026-02-10T00:00:00.000Z"),
      ("2027-01-31T00:00:00.000Z", "2026-12-31T00:00:00.000Z", 11, "2027-01-31T00:00:00.000Z"),
    ] as [(String, String, Int, String)])
  func ends(ends: String, asked: String, number: Int, end: String) throws {
    let months = MonthlyPeriods(from: try at("2026-01-31T00:00:00.000Z"), until: try at(ends))
    let period = try #require(months.period(at: try at(asked)))
    #expect(period.number == number)
    #expect(period.ends == (try at(end)))
    #expect(months.period(at: try at(ends)) == nil)
    #expect(months.period(at: try at("2026-01-30T23:59:59.999Z")) == nil)
  }

  @Test(
    "the months of a subscription follow one another without a gap for a hundred years, whatever the day", arguments: 1...31)
  func gapless(day: Int) throws {
    let anchor = try at("2027-12-\(day < 10 ? "0" : "")\(day)T12:34:56.789Z")
    let months = MonthlyPeriods(from: anchor, until: nil)
    var period = try #require(months.period(at: anchor))
    for number in 0..<1_200 {
      #expect(period.number == number)
      #expect(period.starts < period.ends)
      let next = try #require(months.period(at: period.ends))
      #expect(next.starts == period.ends)
      period = next
    }
  }
}
