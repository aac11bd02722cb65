import AtelierProtocol
import Foundation
import JSON

@testable import ProtocolDocuments

/// What is in `protocol/`, and what it is made of.
enum Project {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Asks the compiler once: it takes seconds.
  static let documents = Result { try ProtocolDocuments(project: root, modules: try modules()) }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: "protocol/\(name)"), encoding: .utf8)
  }

  /// The folder of the built modules, beside or above this test's executable.
  private static func modules() throws -> URL {
    var folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    for place in CommandLine.arguments where place.hasSuffix(".xctest") { folder = URL(filePath: place) }
    while folder.path() != "/" {
      folder = folder.deletingLastPathComponent()
      let modules = folder.appending(path: "Modules")
      if FileManager.default.fileExists(atPath: modules.appending(path: "AtelierProtocol.swiftmodule").path()) {
        return modules
      }
    }
    return root.appending(path: ".build/debug/Modules")
  }
}
