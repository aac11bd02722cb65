import Support
import Testing

@testable import CurlHTTP

@Suite("The clocks of a transfer")
struct TransferClocksTests {
  private static let began = ContinuousClock.now
  private static let limits = HTTPLimits(total: .seconds(60), connect: .seconds(10), stall: .seconds(30))

  private static func at(_ seconds: Double) -> ContinuousClock.Instant { began + .seconds(seconds) }

  @Test("the clocks of a transfer count the connecting, and no stall, until the connection stands")
  func connecting() {
    let clocks = TransferClocks(
      HTTPLimits(total: .seconds(60), connect: .seconds(10), stall: .seconds(2)), began: Self.began)
    #expect(clocks.expired(at: Self.at(9.9)) == nil)
    #expect(clocks.expired(at: Self.at(10)) == .connect)
    #expect(clocks.expired(at: Self.at(60)) == .total)
  }

  @Test("the clocks of a transfer count the stall from the last byte in either direction, however slowly they come")
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

  @Test("the clocks count no stall between the sent request and the first byte: an answer after 36 seconds is none")
  func thinking() {
    var clocks = TransferClocks(
      HTTPLimits(total: .seconds(120), connect: .seconds(10), stall: .seconds(30)), began: Self.began)
    clocks.move(at: Self.at(1))
    #expect(clocks.expired(at: Self.at(31)) == .stall)
    clocks.waitForServer(at: Self.at(31))
    #expect(clocks.expired(at: Self.at(119.9)) == nil)
    #expect(clocks.expired(at: Self.at(120)) == .total)
    clocks.move(at: Self.at(37))
    #expect(clocks.expired(at: Self.at(66.9)) == nil)
    #expect(clocks.expired(at: Self.at(67)) == .stall)
  }

  @Test("the clocks count how long a server works that may work for so long only, from the end of the request")
  func working() {
    var clocks = TransferClocks(
      HTTPLimits(total: .seconds(120), connect: .seconds(10), stall: .seconds(30), answer: .seconds(7)), began: Self.began)
    clocks.move(at: Self.at(20))
    clocks.waitForServer(at: Self.at(21))
    #expect(clocks.nextExpiry(from: Self.at(21)) == Self.at(28))
    #expect(clocks.expired(at: Self.at(27.9)) == nil)
    #expect(clocks.expired(at: Self.at(28)) == .stall)
    clocks.move(at: Self.at(27))
    #expect(clocks.expired(at: Self.at(56.9)) == nil)
  }

  @Test("the clocks of a transfer run out no earlier than they say, whatever happens", arguments: 0..<200 as Range<UInt64>)
  func never(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let limits = HTTPLimits(
      total: .seconds(Int.random(in: 1...120, using: &random)), connect: .seconds(Int.random(in: 1...20, using: &random)),
      stall: .seconds(Int.random(in: 1...40, using: &random)),
      answer: Bool.random(using: &random) ? nil : .seconds(Int.random(in: 1...40, using: &random)))
    var clocks = TransferClocks(limits, began: Self.began)
    var now = 0.0
    while now < 130 {
      let expiry = clocks.nextExpiry(from: Self.at(now))
      now += Double.random(in: 0...15, using: &random)
      if Self.at(now) < expiry { #expect(clocks.expired(at: Self.at(now)) == nil, "seed \(seed)") }
      if clocks.expired(at: Self.at(now)) != nil { return }
      switch Int.random(in: 0...2, using: &random) {
      case 0: clocks.move(at: Self.at(now))
      case 1: clocks.waitForServer(at: Self.at(now))
      default: break
      }
    }
    Issue.record("seed \(seed): the total is over")
  }

  @Test("the clocks of a transfer say when to look again", arguments: [0.0, 5, 9.5])
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
    // The first byte may come at once, and the next one not.
    clocks.waitForServer(at: Self.at(20))
    #expect(clocks.nextExpiry(from: Self.at(20)) == Self.at(50))
    #expect(clocks.nextExpiry(from: Self.at(40)) == Self.at(60))
  }
}
