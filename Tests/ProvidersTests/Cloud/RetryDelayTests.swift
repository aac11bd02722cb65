import Testing

@testable import Providers

@Suite("How long a provider wants to be left alone")
struct RetryDelayTests {
  @Test("a provider's delay is exact to the millisecond, rounded up", arguments: [
    ("26s", 26_000), ("45.837906927s", 45_838), ("45.57s", 45_570), ("0s", 0), ("0.000000001s", 1), ("0.1s", 100),
    ("1.0010s", 1001), ("500ms", 500), ("1m2.5s", 62_500), ("7h22m39.5s", 26_559_500), ("86400s", 86_400_000),
    ("86401s", 86_400_000), ("99999999999999999999999999s", 86_400_000), ("1.9999999999999999s", 2000),
  ])
  func good(text: String, milliseconds: Int) {
    #expect(RetryDelay(text)?.milliseconds == milliseconds)
  }

  @Test("any other text is no delay of a provider", arguments: [
    "", "s", "26", "-1s", "1.s", ".5s", "1,5s", "26s ", "26seconds", "1e9s",
  ])
  func bad(text: String) {
    #expect(RetryDelay(text) == nil)
  }

  @Test("a provider's delay is found in a message", arguments: [
    ("You exceeded your quota.\nPlease retry in 45.57s.", 45_570 as Int?), ("Please retry in 26s", 26_000),
    ("Please try again in 12s. Contact us", 12_000), ("Please retry in 6m0s.", 360_000),
    ("Please retry in a while.", nil), ("try again after 51.84 seconds.", 51_840), ("Retry after 1 minute", 60_000),
    ("try again in 2 hours", 7_200_000), ("Please try again in 500 milliseconds", 500), ("retry in 2 months", nil),
    ("retry after 5min", 300_000),
    ("Please wait 25924 seconds before retrying.", 25_924_000), ("Your limit resets in ~10s.", 10_000),
    ("It will reset after 5h59m59s.", 21_599_000), ("try again in 1 hour and 5 minutes", 3_900_000),
    ("try again in about 2 hrs, 10 mins", 7_800_000), ("请在 60 秒后重试", 60_000), ("请于2分钟后重试", 120_000),
    ("Please wait and try again. Retry after 3 sec", 3000), ("wait a moment", nil), ("60秒", nil),
    ("try again in 3 secondary steps", nil),
    ("", nil), ("45.57s", nil), ("retry in ", nil),
  ])
  func message(text: String, milliseconds: Int?) {
    #expect(RetryDelay(inMessage: text)?.milliseconds == milliseconds)
  }
}
