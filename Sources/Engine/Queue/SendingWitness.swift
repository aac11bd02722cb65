import AtelierProtocol

/// Sees what becomes of every try at the pictures of one generation: whether a provider may have begun the work.
actor SendingWitness {
  /// True once a failure was not one that proves that no work was begun.
  private(set) var hasSent = false

  func saw(_ failure: AtelierError) {
    if !failure.isWorthWaitingFor { hasSent = true }
  }
}

extension AtelierError {
  /// Whether the provider provably did no work, and may do it later without anybody changing the request: it was not
  /// reached, said before doing anything that it is out of order, or asked for a pause.
  ///
  /// A quota that is used up is not waited for, nor a key that is missing: both want somebody to do something.
  var isWorthWaitingFor: Bool {
    guard isRetryable, details["mayHaveBeenCharged"]?.bool != true else { return false }
    switch kind {
    case .offline, .providerUnavailable, .coolingDown: return true
    // An account's own limit names no provider.
    case .rateLimited: return provider != nil
    default: return false
    }
  }
}
