import AtelierProtocol
import Support
import Testing

@Suite("Timestamps")
struct TimestampTests {
  @Test(
    "timestamps are the known text of known days, both ways",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_795_238_760_123, "2026-11-21T05:26:00.123Z"),
      (951_868_799_999, "2000-02-29T23:59:59.999Z"), (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"), (4_107_499_200_000, "2100-02-28T12:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func knownDays(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
    #expect(Timestamp(text)?.milliseconds == milliseconds)
  }

  @Test("timestamps count every day from 1600 to 2400 as the calendar does")
  func everyDay() throws {
    var timestamp = try #require(Timestamp("1600-01-01T00:00:00Z"))
    for year in 1600...2400 {
      let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
      for (month, length) in zip(1..., [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        for day in 1...length {
          let text = "\(year)-\(two(month))-\(two(day))T00:00:00.000Z"
          try #require(timestamp.text == text)
          try #require(Timestamp(text) == timestamp)
          timestamp.milliseconds += 86_400_000
        }
      }
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test("timestamps read back as what they were, whenever that is", arguments: 0..<20 as Range<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let timestamp = Timestamp(milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      #expect(Timestamp(timestamp.text) == timestamp, "seed \(seed)")
    }
  }

  @Test(
    "timestamps are read in any offset and with any fraction",
    arguments: [
      ("2026-11-21T06:26:00.123+01:00", "2026-11-21T05:26:00.123Z"),
      ("2026-11-20T23:56:00-05:30", "2026-11-21T05:26:00.000Z"),
      ("2026-11-21t05:26:00.5z", "2026-11-21T05:26:00.500Z"),
      ("2026-11-21T05:26:00.123999999Z", "2026-11-21T05:26:00.123Z"),
      ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00.000Z"),
    ])
  func offsets(text: String, expected: String) {
    #expect(Timestamp(text)?.text == expected)
  }

  @Test(
    "timestamps are not read from anything else",
    arguments: [
      "", "2026-11-21", "2026-11-21T05:26:00", "2026-11-21 05:26:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
      "2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z",
      "2026-11-21T24:00:00Z", "2026-11-21T05:60:00Z", "2016-12-31T23:59:60Z", "2026-11-21T05:26:00.Z",
      "2026-11-21T05:26:00+24:00", "2026-11-21T05:26:00+0100", "2026-11-21T05:26:00Zz", "26-11-21T05:26:00Z",
      "+026-11-21T05:26:00Z", "２０２６-11-21T05:26:00Z", "1795238760123",
    ])
  func refusals(text: String) {
    #expect(Timestamp(text) == nil)
    #expect(expectation(Timestamp.self, .string(text)) == "a time such as 2026-11-21T05:26:00.123Z (RFC 3339)")
  }

  @Test("timestamps beyond the years that have four digits are shown as the nearest that has")
  func extremes() {
    #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
  }

  @Test("timestamps know their month")
  func month() {
    #expect(Timestamp("2026-11-30T23:59:59.999Z")?.month == "2026-11")
    #expect(Timestamp("2026-11-30T23:59:59-01:00")?.month == "2026-12")
  }

  @Test(
    "timestamps reckon from the nearest time that has a form, whatever number they come from",
    arguments: [Int64.min, .min + 1, -62_167_219_200_001, 253_402_300_800_000, .max - 1, .max])
  func extremes(milliseconds: Int64) {
    let time = Timestamp(milliseconds: milliseconds)
    for other in [time.endOfDay, time.adding(months: 1), time.adding(months: .max), time.adding(months: .min)] {
      #expect(Timestamp(other.text) != nil || other > Timestamp.range.upperBound)
    }
    #expect(Timestamp.range.contains(Timestamp(day: time.day)))
    #expect(Timestamp.range.contains(Timestamp(day: milliseconds)))
    #expect(time.date.utf8.count == 10 && time.month.utf8.count == 7)
  }
}
