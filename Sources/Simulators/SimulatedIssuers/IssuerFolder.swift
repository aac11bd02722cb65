import Encodings
import FoundationEssentials
import JSON
import POSIX

/// A folder with the keys of a simulated issuer: each private key in PEM, and the public ones in `keys.json`. The first are
/// made when the folder has none.
public struct IssuerFolder: Sendable {
  /// Absolute.
  public let path: String

  /// Creates the folder if it is not there.
  /// - Parameter path: a relative one begins at the working directory.
  public init(_ path: String) throws {
    self.path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    do { try FileSystem.makeDirectories(self.path) } catch { throw UnusableIssuerKeys(path: self.path) }
  }

  /// Where the key set is, for `keys` of an issuer in the configuration.
  public var keySetFile: String { "\(path)/keys.json" }

  /// The issuer with the keys of the folder.
  /// - Parameter name: what its tokens have in `iss`.
  public func issuer(named name: String) throws -> SimulatedIssuer {
    do {
      var generations: [SimulatedIssuer.Generation] = []
      while let generation = try generation(number: generations.count + 1) { generations.append(generation) }
      if !generations.isEmpty { return SimulatedIssuer(name, generations: generations) }
      let issuer = try SimulatedIssuer(name)
      try save(issuer)
      return issuer
    } catch {
      throw UnusableIssuerKeys(path: path)
    }
  }

  /// Adds a generation of keys, which sign from now on, and publishes it.
  public func rotate() throws {
    var issuer = try issuer(named: "")
    do {
      try issuer.rotate()
      try save(issuer)
    } catch {
      throw UnusableIssuerKeys(path: path)
    }
  }

  /// The key set, as it is in the file.
  public func keySet() throws -> [UInt8] {
    _ = try issuer(named: "")
    do { return try FileSystem.readText(keySetFile) } catch { throw UnusableIssuerKeys(path: path) }
  }

  private func generation(number: Int) throws -> SimulatedIssuer.Generation? {
    let keys = try SigningKey.Algorithm.allCases.compactMap { algorithm -> SigningKey? in
      let id = SimulatedIssuer.Generation.id(algorithm, number)
      guard try FileStatus(path: "\(path)/\(id).pem") != nil else { return nil }
      let pem = String(decoding: try FileSystem.readText("\(path)/\(id).pem"), as: UTF8.self)
      return try SigningKey(algorithm, id: id, pem: pem)
    }
    return keys.count == SigningKey.Algorithm.allCases.count ? .init(keys) : nil
  }

  private func save(_ issuer: SimulatedIssuer) throws {
    for key in issuer.generations.last?.keys ?? [] { try write(Array(key.pem.utf8), "\(key.id).pem") }
    try write(try issuer.keySet().serialized(), "keys.json")
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try FileSystem.replace("\(path)/\(name)", with: bytes, temporary: "\(path)/.\(name)", permissions: 0o600)
  }
}

/// A folder that cannot be written to, or whose files are not keys that were made here.
public struct UnusableIssuerKeys: Error, CustomStringConvertible {
  public var path: String?

  public init(path: String? = nil) { self.path = path }

  public var description: String { "The keys in \(path ?? "memory") cannot be used. Name another folder." }
}
