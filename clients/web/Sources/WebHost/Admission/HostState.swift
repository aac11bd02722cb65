import Encodings
import JSON
import POSIX

/// What the personal way remembers from one start to the next, so that an open page goes on: the port, and the key that
/// signs cookies. A file that only its owner can read.
struct HostState: Sendable, Equatable {
  var port: Int?
  var key: [UInt8]

  /// - Parameter random: 32 random bytes, the key where there is none yet.
  /// - Throws: `FileFailure`.
  static func read(_ path: String, random: [UInt8]) throws -> HostState {
    guard let status = try FileStatus(path: path, followingLinks: true), status.isRegularFile,
      let value = try? JSONValue(parsing: FileSystem.readText(path)),
      let key = value["key"]?.string.flatMap({ Hexadecimal.bytes($0) }), key.count == 32
    else { return HostState(port: nil, key: random) }
    let port = value["port"]?.number?.integer(as: Int.self)
    return HostState(port: port.flatMap { (1...65535).contains($0) ? $0 : nil }, key: key)
  }

  /// - Throws: `FileFailure`.
  func write(_ path: String) throws {
    var object: JSONObject = ["key": .string(Hexadecimal.text(key))]
    if let port { object["port"] = .number(JSONNumber(port)) }
    try FileSystem.replace(
      path, with: JSONValue.object(object).serialized() + [10], temporary: "\(path).new", permissions: 0o600)
  }
}
