import Foundation

/// The files of Tests/Fixtures.
public enum Fixture {
  public static func path(_ name: String) -> String { "\(tests)/Fixtures/\(name)" }

  public static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The root of the project.
  public static var project: String { String(tests.dropLast("/Tests".count)) }

  private static var tests: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
  }
}
