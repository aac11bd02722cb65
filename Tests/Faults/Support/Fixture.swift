import Foundation

/// The files of Tests/Fixtures.
enum Fixture {
  static func path(_ name: String) -> String {
    let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return "\(tests)/Fixtures/\(name)"
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}
