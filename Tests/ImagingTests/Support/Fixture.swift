import Glibc
@testable import Imaging

/// The files of Tests/Fixtures.
enum Fixture {
  static func image(_ name: String) throws -> [UInt8] { try bytes("images/\(name)") }
  static func portrait(_ name: String) throws -> [UInt8] { try bytes("portraits/\(name)") }

  static func bytes(_ name: String) throws -> [UInt8] {
    try PhotoFile.readBlocking(path(name), maximumBytes: 40_000_000)
  }

  static func path(_ name: String) -> String {
    let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return "\(tests)/Fixtures/\(name)"
  }
}
