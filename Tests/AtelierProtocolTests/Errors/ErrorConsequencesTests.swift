import AtelierProtocol
import Testing

@Suite("What follows from a kind of error")
struct ErrorConsequencesTests {
  private static func kinds(_ holds: (ErrorConsequences) -> Bool) -> Set<ErrorKind> {
    Set(ErrorKind.allCases.filter { holds($0.consequences) })
  }

  @Test("the kinds with each consequence are those of the contract")
  func contract() {
    let provider: Set<ErrorKind> = [.rateLimited, .coolingDown, .providerUnavailable, .offline]
    #expect(
      Self.kinds { $0.retry == .later }
        == provider.union([
          .timedOut, .noImageReturned, .noPlacesFound, .dailyLimit, .concurrentLimit, .interrupted, .providerError,
          .overloaded, .providerTimeout, .storageUnavailable,
        ]))
    #expect(Self.kinds { $0.retry == .onceRenewed } == [.quotaExhausted])
    #expect(Self.kinds(\.isSentAgain) == [.rateLimited, .providerUnavailable])
    #expect(
      Self.kinds(\.isPassedOn)
        == provider.union([
          .noApiKey, .invalidApiKey, .unsupportedByProvider, .quotaExhausted, .providerError, .providerTimeout,
          .providerDenied,
        ]))
    #expect(Self.kinds(\.isOfTheMoment) == provider.union([.noApiKey, .invalidApiKey, .quotaExhausted]))
    #expect(Self.kinds { $0.waiting == .yes } == provider.subtracting([.rateLimited]))
    #expect(Self.kinds { $0.waiting == .ifOfAProvider } == [.rateLimited])
    #expect(Self.kinds { $0.attempt == .counts } == [.providerUnavailable])
    #expect(Self.kinds { $0.attempt == .countsAfterLongestPause } == [.rateLimited])
    #expect(Self.kinds { $0.pause == .brief } == [.rateLimited])
    #expect(Self.kinds { $0.pause == .untilRenewed } == [.quotaExhausted])
    #expect(Self.kinds(\.wasReached) == [.rateLimited, .coolingDown])
    #expect(Self.kinds(\.leavesKeyUsable) == provider.union([.overloaded, .timedOut, .interrupted]))
    #expect(Self.kinds(\.isOfTheStore) == [.storageUnavailable, .storageFull, .overloaded])
    #expect(Self.kinds(\.isLiftedByAnEnd) == [.concurrentLimit, .insufficientCredits])
  }

  @Test("the consequences of a kind of error agree with each other", arguments: ErrorKind.allCases)
  func agreement(kind: ErrorKind) {
    let follows = kind.consequences
    #expect(follows.retry == .later || !follows.isSentAgain, "what no retry helps is sent again")
    #expect(follows.retry == .later || follows.waiting == .no, "what no retry helps waits")
    #expect(follows.retry == .later || !follows.leavesKeyUsable, "what no retry helps leaves its key for another try")
    #expect(follows.waiting != .no || follows.attempt == .free, "what does not wait counts as an attempt")
    #expect(follows.waiting == .no || follows.isPassedOn, "what waits for a provider is not passed on to another")
    #expect(follows.pause == .none || follows.isOfTheMoment, "a pause is not of the moment")
  }

  @Test("a used-up quota is worth a retry only when the time is known at which it is renewed")
  func quota() {
    #expect(!AtelierError(.quotaExhausted).isRetryable)
    #expect(AtelierError(.quotaExhausted, retryAfterMs: 1).isRetryable)
    #expect(!AtelierError(.quotaExhausted, retryAfterMs: 1, retryable: false).isRetryable)
  }
}
