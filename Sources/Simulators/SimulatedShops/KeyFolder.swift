import AtelierProtocol
import FoundationEssentials
import POSIX

/// A folder with the keys of the simulated stores. They are made when they are first needed, and stay the same.
public struct KeyFolder: Sendable {
  /// Absolute.
  public let path: String

  /// Creates the folder if it is not there.
  /// - Parameter path: a relative one begins at the working directory.
  public init(_ path: String) throws {
    self.path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    do { try FileSystem.makeDirectories(self.path) } catch { throw UnusableKeys(path: self.path) }
  }

  /// Where the root of Apple's certificates is, for `credits.apple.rootCertificates`.
  public var appleRoot: String { "\(path)/apple-root.pem" }

  public func apple(at now: Timestamp) throws -> AppleSigner {
    if let pem = try text("apple-signer.pem") { return try read(pem, AppleSigner.init(pem:)) }
    let signer = try AppleSigner(at: now)
    try write(try signer.rootPEM, "apple-root.pem")
    try write(try signer.pem, "apple-signer.pem")
    return signer
  }

  public func google() throws -> GoogleSigner {
    if let pem = try text("google-signer.pem") { return try read(pem, GoogleSigner.init(pem:)) }
    let signer = try GoogleSigner()
    try write(signer.pem, "google-signer.pem")
    return signer
  }

  private func text(_ name: String) throws -> String? {
    do {
      guard try FileStatus(path: "\(path)/\(name)") != nil else { return nil }
      return String(decoding: try FileSystem.readText("\(path)/\(name)"), as: UTF8.self)
    } catch {
      throw UnusableKeys(path: path)
    }
  }

  private func read<Signer>(_ pem: String, _ parse: (String) throws -> Signer) throws -> Signer {
    do { return try parse(pem) } catch { throw UnusableKeys(path: path) }
  }

  private func write(_ text: String, _ name: String) throws {
    do {
      try FileSystem.replace("\(path)/\(name)", with: Array(text.utf8), temporary: "\(path)/.\(name)", permissions: 0o600)
    } catch {
      throw UnusableKeys(path: path)
    }
  }
}

/// A folder that cannot be written to, or whose files are not keys that were made here.
public struct UnusableKeys: Error, CustomStringConvertible {
  public var path: String

  public var description: String { "The keys in \(path) cannot be used. Name another folder." }
}
