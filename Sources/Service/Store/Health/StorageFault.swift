import AtelierProtocol
import POSIX

/// Why the store cannot keep anything at the moment.
struct StorageFault: Error, Sendable, Equatable {
  /// For the operator and, without its paths, for callers.
  var reason: StoreError
  /// What a trial must be able to write, because this failed.
  var trial = FileTrial()

  /// Whether only another start can help: a damaged file does not become whole by itself, and every further change may
  /// make it worse; nor does a database become older.
  var isLasting: Bool { reason.kind == .damagedDatabase || reason.kind == .newerDatabase }
}

/// A file that is written, and removed, to find out whether pictures can be kept.
struct FileTrial: Sendable, Equatable {
  /// How large it is, in bytes: at least as large as what failed last.
  var bytes = FileTrial.leastBytes
  /// The type that it is said to have: what is on the way to a bucket may refuse by that.
  var mimeType = "image/png"
  /// The folder in which a write failed, if it is known: a small file is written there as well.
  var folder: String?

  static let leastBytes = 65_536
  /// No picture is larger.
  static let mostBytes = 67_108_864

  /// The same, and as much as an earlier one.
  func including(_ earlier: FileTrial) -> FileTrial {
    var both = self
    if earlier.bytes > bytes { (both.bytes, both.mimeType) = (earlier.bytes, earlier.mimeType) }
    both.folder = folder ?? earlier.folder
    return both
  }
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
      self.init(
        reason: directory.unusable(failure), trial: FileTrial(folder: directory.folder(of: failure)))
    default:
      guard let reason = engine.fault(error)?.reason, reason.kind != .busy else { return nil }
      self.init(reason: reason)
    }
  }
}
