import Foundation
import Support
import Testing

/// What the documents show is what was compiled and run.
@Suite("The documents of the client", .timeLimit(.minutes(2)))
struct DocumentTests {
  private static let folder = "\(ServiceScene.project)/clients/swift"

  /// The examples in Swift of README.md, in its order.
  private static func blocks() throws -> [String] {
    let text = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    return text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```\n").first }
  }

  /// The name of each example's function, which its file has too.
  private static let examples = [
    "Headshot", "Progress", "Images", "Errors", "Retry", "Detached", "Requests", "Places",
  ]

  @Test("the examples in README.md are the files that are compiled")
  func compiled() throws {
    let files = try Self.examples.map { name in
      try String(contentsOfFile: "\(Self.folder)/Examples/readme/\(name).swift", encoding: .utf8)
    }
    #expect(try Self.blocks() == files)
  }

  @Test("the examples in README.md run")
  func run() async throws {
    let scene = try ServiceScene()
    let photos = "\(ServiceScene.project)/Tests/Fixtures"
    for (name, source) in [
      ("ada.png", "portraits/astronaut.png"), ("grace.jpg", "portraits/grace_hopper.jpg"),
      ("flag.jpg", "images/landscape.jpg"),
    ] {
      try FileManager.default.copyItem(atPath: "\(photos)/\(source)", toPath: scene.folder.path(name))
    }
    let program = "\(ServiceExecutable.path.dropLast("atelier".count))swift-readme-examples"
    let child = try ServiceChild(
      command: ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", scene.folder.path, program]
        + Self.examples.map { $0.lowercased() },
      environment: ["ATELIER=\(ServiceExecutable.path)", "XDG_DATA_HOME=\(scene.folder.path("data"))"])
    #expect(try await child.finished() == .exited(0))
    let lines = child.output.value.strayLines
    #expect(lines.contains { $0.hasPrefix("no_face_found ") } && lines.contains { $0.hasPrefix("ada has ") }, "\(lines)")
    #expect(try await child.wholeErrorText() == "")
  }
}
