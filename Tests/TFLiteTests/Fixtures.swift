import Foundation

enum Fixtures {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  static let folder = tests.appending(path: "Fixtures")

  /// The bytes of one of the vendored models.
  static func model(_ name: String) throws -> [UInt8] {
    let models = tests.deletingLastPathComponent().appending(path: "Sources/Base/CEmbedded/models")
    return [UInt8](try Data(contentsOf: models.appending(path: "\(name).tflite")))
  }
}
