import AtelierProtocol
import POSIX

/// Why the store cannot keep anything at the moment.
struct StorageFault: Error, Sendable, Equatable {
  /// For the operator and, without its paths, for callers.
  var reason: StoreError
  /// The folder in which a write failed, if it is known: the next trial writes there as well.
  var folder: String?
  /// How much room a trial must find, in bytes: as much as was missing.
  var bytes = StorageFault.leastBytes

  /// A trial must find at least this much room, in bytes.
  static let leastBytes = 65_536

  /// Whether only another start can help: a damaged file does not become whole by itself, and every further change may
  /// make it worse.
  var isLasting: Bool { reason.kind == .damagedDatabase }
}

extension StorageFault {
  /// What a failed write says about the machine.
  /// - Returns: nil when it says nothing: the change itself was refused, or another process writes.
  init?(_ error: any Error, in directory: DataDirectory, engine: any StoreEngine) {
    switch error {
    case let fault as StorageFault: self = fault
    case let error as StoreError where error.kind == .busy: return nil
    case let error as StoreError: self.init(reason: error)
    case let failure as FileFailure:
      self.init(reason: directory.unusable(failure), folder: directory.folder(of: failure))
    default:
      guard let reason = engine.fault(error)?.reason, reason.kind != .busy else { return nil }
      self.init(reason: reason)
    }
  }
}
