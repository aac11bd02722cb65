/// What the desktop's secret service says of a key.
enum SecretServiceAnswer: Equatable {
  case found(APIKey)
  /// Something is kept under the name that is no API key.
  case unusable
  /// There is one, in a keyring that is locked.
  case locked
  case absent
  /// There is no session bus, or no program to ask it with.
  case notThere
  /// It refused, or nobody answers on the bus.
  case failed
  /// It did not answer in time.
  case overdue

  /// True when something is kept under the name, whether or not it can be had.
  var isPresent: Bool {
    switch self {
    case .found, .unusable, .locked: true
    case .absent, .notThere, .failed, .overdue: false
    }
  }
}
