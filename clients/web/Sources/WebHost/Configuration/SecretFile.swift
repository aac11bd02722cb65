import Encodings
import POSIX
import Synchronization

/// A file with secrets of the operator: base64 of at least 24 bytes, perhaps behind `whsec_`; an empty line stands between
/// two of them. The first one signs, all of them are accepted. It is read again when it has changed, and when something
/// is signed with none of them.
struct SecretFile: Sendable {
  private let secrets: RenewableSecret<[[UInt8]]>

  /// - Parameters:
  ///   - path: of a file that only its owner can read. Blocks.
  ///   - member: which names the file in the configuration.
  ///   - uptimeMs: milliseconds on a clock that never jumps.
  ///   - log: is told why a file that was changed cannot be used; what it had before stays in use.
  /// - Throws: ``ConfigurationFault`` when it cannot be used now.
  init(
    _ path: String, of member: String, uptimeMs: @escaping @Sendable () -> Int64 = SecretFile.uptime(),
    log: @escaping @Sendable (String) -> Void
  ) throws {
    let fault = Fault(log)
    secrets = RenewableSecret(files: [path], nowMs: { 0 }, uptimeMs: uptimeMs) {
      do {
        let secrets = try Self.read(path, of: member)
        fault.note(nil)
        return secrets
      } catch {
        fault.note((error as? ConfigurationFault).map { "/\($0.member) \($0.problem)" } ?? "\(error)")
        throw error
      }
    }
    _ = try secrets.current()
    fault.wasUsed()
  }

  /// One secret that never changes.
  init(constant secret: [UInt8]) { secrets = RenewableSecret(constant: [secret]) }

  /// The secret that signs now, and the others.
  func all() async throws -> [[UInt8]] {
    try await LazyThreadPool.hostFiles.run { [secrets] in try secrets.current().value }
  }

  /// What the present secrets prove, or the ones that stand in the file by now.
  /// - Parameter proof: nil when these secrets prove nothing.
  func proving<Value: Sendable>(_ proof: @escaping @Sendable (_ secrets: [[UInt8]]) -> Value?) async throws -> Value? {
    try await LazyThreadPool.hostFiles.run { [secrets] in
      let present = try secrets.current()
      return proof(present.value) ?? secrets.renewed(after: present).flatMap { proof($0.value) }
    }
  }

  /// Milliseconds since now.
  static func uptime() -> @Sendable () -> Int64 {
    let start = ContinuousClock.now
    return { Int64((ContinuousClock.now - start) / .milliseconds(1)) }
  }

  /// What was told of a file, so that each fault is told once.
  private final class Fault: Sendable {
    private let log: @Sendable (String) -> Void
    private let state = Mutex((told: String?.none, isInUse: false))

    init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

    func wasUsed() { state.withLock { $0.isInUse = true } }

    func note(_ sentence: String?) {
      let isNew = state.withLock { state in
        defer { state.told = sentence }
        return state.isInUse && state.told != sentence
      }
      if isNew, let sentence { log("\(sentence) What it had before stays in use.") }
    }
  }

  private static func read(_ path: String, of member: String) throws -> [[UInt8]] {
    let text: String
    do {
      let resolved = try FileSystem.resolved(path)
      if let status = try FileStatus(path: resolved), status.isShared || status.bytes > mostBytes {
        throw ConfigurationFault(
          member, status.isShared ? "names a file that others can read: chmod 600 it." : "names a file that is too large.")
      }
      text = String(decoding: try FileSystem.readText(resolved), as: UTF8.self)
    } catch let error as FileFailure {
      throw ConfigurationFault(member, "cannot be read: \(error.reason).")
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      String(line.filter { !$0.isWhitespace })
    }
    // A long one may have several lines.
    let texts = lines.split(separator: "").map { $0.joined() }
    let secrets = texts.compactMap { text in
      Base64.decodedLeniently(text.hasPrefix("whsec_") ? String(text.dropFirst(6)) : text)?.bytes
    }
    guard !secrets.isEmpty, secrets.count == texts.count, secrets.allSatisfy({ $0.count >= 24 }) else {
      throw ConfigurationFault(
        member, "must hold at least 24 random bytes in base64, as `openssl rand -base64 32` prints; with an empty line "
          + "between two secrets.")
    }
    return secrets
  }

  private static let mostBytes = 1 << 16
}
