import Testing

@testable import CurlHTTP

@Suite("The clocks of a transfer")
struct TransferClocksTests {
  private static let began = ContinuousClock.now
  private static let limits = HTTPLimits(total: .seconds(60), connect: .seconds(10), stall: .seconds(30))

  private static func at(_ seconds: Double) -> ContinuousClock.Instant { began + .seconds(seconds) }

  @Test("count the connecting, and no stall, until the connection stands")
  func connecting() {
    let clocks = TransferClocks(
      HTTPLimits(total: .seconds(60), connect: .seconds(10), stall: .seconds(2)), began: Self.began)
    #expect(clocks.expired(at: Self.at(9.9)) == nil)
    #expect(clocks.expired(at: Self.at(10)) == .connect)
    #expect(clocks.expired(at: Self.at(60)) == .total)
  }

  @Test("count the stall from the last byte in either direction, however slowly they come")
  func stall() {
    var clocks = TransferClocks(Self.limits, began: Self.began)
    for seconds in [9.0, 38, 50] {
      #expect(clocks.expired(at: Self.at(seconds)) == nil)
      clocks.move(at: Self.at(seconds))
    }
    #expect(clocks.expired(at: Self.at(59)) == nil)
    #expect(clocks.expired(at: Self.at(60)) == .total)
    var waiting = TransferClocks(Self.limits, began: Self.began)
    waiting.move(at: Self.at(1))
    #expect(waiting.expired(at: Self.at(30.9)) == nil)
    #expect(waiting.expired(at: Self.at(31)) == .stall)
  }

  @Test("run out no earlier than they say, whatever happens", arguments: [0.0, 5, 9.5])
  func next(connected: Double) {
    var clocks = TransferClocks(Self.limits, began: Self.began)
    #expect(clocks.nextExpiry(from: Self.began) == Self.at(10))
    #expect(clocks.nextExpiry(from: Self.at(9)) == Self.at(10))
    clocks.move(at: Self.at(connected))
    #expect(clocks.nextExpiry(from: Self.at(connected)) == Self.at(connected + 30))
    clocks.move(at: Self.at(40))
    #expect(clocks.nextExpiry(from: Self.at(40)) == Self.at(60))
    let short = TransferClocks(
      HTTPLimits(total: .seconds(60), connect: .seconds(10), stall: .seconds(2)), began: Self.began)
    #expect(short.nextExpiry(from: Self.at(1)) == Self.at(3))
  }
}
