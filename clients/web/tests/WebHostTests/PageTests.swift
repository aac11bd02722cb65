import Foundation
import Testing

@testable import WebHost

@Suite("The pages")
struct PageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "pages")
  /// What is in the folder for those who change the pages.
  private static let notServed: Set = ["README.md", "tsconfig.json"]

  private static func paths() throws -> [String] {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { path in
      path.contains(".") && !path.hasSuffix(".d.ts") && !notServed.contains(path)
    }
  }

  @Test("the executable has the files of the folder; otherwise list them in pages.S, and touch it")
  func embedded() throws {
    #expect(Set(Pages.files.keys) == Set(try Self.paths()))
    for (name, file) in Pages.files {
      #expect(Data(file.bytes) == (try Data(contentsOf: Self.folder.appending(path: name))), "touch pages.S: \(name)")
    }
  }

  @Test("a file is told with its kind, and not sent again to those who have it")
  func mediaTypes() {
    #expect(Pages.files.values.allSatisfy { $0.mediaType != "application/octet-stream" })
    #expect(Pages.file("../Package.swift", in: Self.folder.path) == nil && Pages.file("none.js", in: nil) == nil)
  }
}
