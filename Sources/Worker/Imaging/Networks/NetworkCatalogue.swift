import Glibc
import JSON
import POSIX

/// The networks that the operator has added: a folder with an entry `NAME.json` for each, and its model, which is named by
/// its SHA-256.
///
/// An entry appears, changes and disappears at once; its model is there before it. One process at a time changes the folder.
/// All calls block.
public struct NetworkCatalogue: Sendable {
  /// The most bytes of all models together. A worker has them in memory beside its pictures, for which it is given 768 MB.
  public static let maximumBytes = 32 << 20
  /// How long a change waits for one of another process.
  private static let longestWait = (attempts: 500, microseconds: UInt32(10_000))
  private static let entryEnding = ".json"
  private static let lock = "lock"

  /// The folder, which need not exist.
  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// What is in the folder.
  public struct Contents: Sendable, Equatable {
    public var networks: [OperatorNetwork] = []
    /// What is wrong with entries that cannot be used.
    public var problems: [String] = []
  }

  /// The entries, by their names.
  /// - Throws: ``NetworkRefusal`` when the folder cannot be read.
  public func contents() throws(NetworkRefusal) -> Contents {
    do throws(FileFailure) { return try read() } catch { throw NetworkRefusal(error) }
  }

  private func read() throws(FileFailure) -> Contents {
    var contents = Contents()
    for file in try FileSystem.names(in: path) where file.hasSuffix(Self.entryEnding) {
      do throws(FileFailure) {
        let text = try FileSystem.readText("\(path)/\(file)")
        if let network = OperatorNetwork(entry: text), "\(network.name)\(Self.entryEnding)" == file {
          contents.networks.append(network)
        } else {
          contents.problems.append("\(path)/\(file) is not an entry of a model. Remove it, and add the model again.")
        }
      } catch {
        // It was removed in the meantime.
        if !error.isMissing { contents.problems.append(error.sentence) }
      }
    }
    return contents
  }

  /// The bytes of a network's model; nil when it was removed in the meantime.
  /// - Throws: ``NetworkRefusal`` when it cannot be read.
  public func model(of network: OperatorNetwork) throws(NetworkRefusal) -> [UInt8]? {
    do throws(FileFailure) {
      return try FileSystem.read(modelPath(network))
    } catch {
      if error.isMissing { return nil }
      throw NetworkRefusal(error)
    }
  }

  /// Adds a network that was tried.
  /// - Parameter replaces: whether it takes the place of one of the same name.
  /// - Throws: ``NetworkRefusal``.
  public func add(_ network: OperatorNetwork, model bytes: [UInt8], replaces: Bool = false) throws(NetworkRefusal) {
    try change {
      try check(network, replaces: replaces)
      for (file, content) in try [(modelPath(network), bytes), (entryPath(network.name), network.entry)] {
        try FileSystem.replace(file, with: content, temporary: "\(file).new", permissions: 0o600)
      }
    }
  }

  /// Whether a network could be added, as far as its entry tells.
  /// - Throws: ``NetworkRefusal``.
  public func check(_ network: OperatorNetwork, replaces: Bool) throws(NetworkRefusal) {
    let present = try contents().networks
    guard replaces || !present.contains(where: { $0.name == network.name }) else {
      throw NetworkRefusal(
        .nameTaken, "There is a model “\(network.name)” already. Choose another name, or replace it with --replace.")
    }
    let others = present.filter { $0.name != network.name }
    let bytes = others.reduce(network.bytes) { $0 + $1.bytes }
    guard bytes <= Self.maximumBytes else {
      throw NetworkRefusal(
        .tooLarge,
        others.isEmpty
          ? NetworkRefusal.fileTooLarge.sentence
          : "All models together would have more than \(Self.maximumBytes >> 20) MB, which are the most. Remove one.")
    }
    if network.role == .matte, let other = others.first(where: { $0.role == .matte }) {
      throw NetworkRefusal(
        .matteTaken, "“\(other.name)” makes the matte already, which only one can. Remove it, or add this one as a vote.")
    }
  }

  /// Removes a network.
  /// - Returns: false when there was none of this name.
  /// - Throws: ``NetworkRefusal``.
  public func remove(_ name: String) throws(NetworkRefusal) -> Bool {
    guard access(path, F_OK) == 0 else { return false }
    return try change {
      guard try FileStatus(path: entryPath(name)) != nil else { return false }
      try FileSystem.remove(entryPath(name))
      return true
    }
  }

  private func entryPath(_ name: String) -> String { "\(path)/\(name)\(Self.entryEnding)" }
  private func modelPath(_ network: OperatorNetwork) -> String { "\(path)/\(network.sha256).tflite" }

  /// Does `work` while no other process changes the folder. Then removes what no entry leads to, also what a killed process
  /// left behind.
  private func change<Value>(_ work: () throws -> Value) throws(NetworkRefusal) -> Value {
    do {
      try FileSystem.makeDirectories(path)
      if try FileStatus(path: path, followingLinks: true)?.isShared == true { try FileSystem.narrow(path, to: 0o700) }
      let held = try locked()
      defer { held.release() }
      let value = try work()
      let models = try read().networks.map(modelPath)
      for file in try FileSystem.names(in: path) where file != Self.lock && !file.hasSuffix(Self.entryEnding) {
        if !models.contains("\(path)/\(file)") { try FileSystem.remove("\(path)/\(file)") }
      }
      try FileSystem.syncDirectory(path)
      return value
    } catch let refusal as NetworkRefusal {
      throw refusal
    } catch let failure as FileFailure {
      throw NetworkRefusal(failure)
    } catch {
      throw NetworkRefusal(.fileUnusable, "\(error)")
    }
  }

  private func locked() throws -> FileLock {
    for _ in 0..<Self.longestWait.attempts {
      if let lock = try FileLock(path: "\(path)/\(Self.lock)", creating: true) { return lock }
      usleep(Self.longestWait.microseconds)
    }
    throw NetworkRefusal(.fileUnusable, "Another process is changing \(path). End it, and try again.")
  }
}

extension OperatorNetwork {
  /// - Returns: nil for a text that is no entry.
  fileprivate init?(entry text: [UInt8]) {
    guard let value = try? JSONValue(parsing: text),
      let network = try? JSONValueDecoder(unknownMembers: .ignore).decode(OperatorNetwork.self, from: value),
      Self.isName(network.name), Self.isDigest(network.sha256), (0...NetworkCatalogue.maximumBytes).contains(network.bytes)
    else { return nil }
    self = network
  }

  fileprivate var entry: [UInt8] {
    get throws { try JSONValueEncoder().encode(self).serialized() + [UInt8(ascii: "\n")] }
  }
}

extension NetworkRefusal {
  /// For a file that is larger than all together may be.
  public static let fileTooLarge = NetworkRefusal(
    .tooLarge, "The file has more than \(NetworkCatalogue.maximumBytes >> 20) MB, which are the most.")

  fileprivate init(_ failure: FileFailure) { self.init(.fileUnusable, failure.sentence) }
}
