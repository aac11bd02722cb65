import Testing

@testable import ObjectStorage

@Suite("The pauses between tries")
struct BucketRetriesTests {
  @Test("the pauses double, are between half and whole, and end with the tries")
  func pauses() {
    let retries = BucketRetries(tries: 4, first: .milliseconds(100))
    let shortest: [Duration?] = [.milliseconds(50), .milliseconds(100), .milliseconds(200), nil]
    #expect((1...4).map { retries.pause(after: $0) { 0 } } == shortest)
    for count in 1...3 {
      let longest = retries.pause(after: count) { .max }
      #expect((longest ?? .zero) <= .milliseconds(100 << (count - 1)))
      #expect((longest ?? .zero) > .milliseconds(99 << (count - 1)))
    }
  }

  @Test("a great number of tries does not overflow")
  func many() {
    let retries = BucketRetries(tries: .max, first: .seconds(1))
    #expect(retries.pause(after: .max - 1) { .max } != nil)
  }
}
