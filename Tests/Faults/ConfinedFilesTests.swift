import Foundation
import JSON
import Support
import Testing

extension Faults {
  /// Somebody who exchanges the links that a confined connection names, while the service follows them.
  @Suite("Exchanged links")
  struct ConfinedFilesTests {
    private let scene: Scene
    private let open: String
    private let closed: String

    init() throws {
      scene = try Scene()
      open = try scene.folder.makeFolder("open")
      closed = try scene.folder.makeFolder("closed")
      _ = try scene.folder.makeFolder("open/inside")
      _ = try scene.folder.write("open/inside/photo.jpg", try Fixture.bytes("images/face.jpg"))
      _ = try scene.folder.write("closed/photo.jpg", try Fixture.bytes("images/landscape.jpg"))
      try FileManager.default.createSymbolicLink(atPath: "\(open)/way", withDestinationPath: "\(open)/inside")
      try FileManager.default.createSymbolicLink(atPath: "\(open)/other", withDestinationPath: closed)
    }

    @Test("exchanged links lead no request outside of the folders that are open")
    func exchanged() async throws {
      let configuration: JSONValue = ["access": ["read": [.string(open)], "write": [.string(open)]]]
      let file = try scene.folder.write("config.json", configuration.serialized())
      let service = try scene.service(["--config", file, "--account", "anna"])
      let plain = try await service.call("image/prepare", ["image": ["path": .string("\(open)/inside/photo.jpg")]])
      let original = try #require(plain["result"]?["original"])
      let way = "\(open)/way"
      let exchanger = try NameExchanger(way, "\(open)/other")
      var (read, written) = (0, 0)
      for _ in 0..<200 where read < 20 || written < 20 {
        let photo = try await service.call("image/prepare", ["image": ["path": .string("\(way)/photo.jpg")]])
        if let result = photo["result"] {
          read += 1
          #expect(result["original"] == original)
        } else {
          #expect(photo["error"]?["data"]?["kind"] == "file_access_denied", "\(photo.text)")
        }
        let export = try await service.call("history/export", ["directory": .string(way)])
        if export["result"] != nil {
          written += 1
        } else {
          #expect(export["error"]?["data"]?["kind"] == "file_access_denied", "\(export.text)")
        }
      }
      exchanger.stop()
      #expect(read > 0 && written > 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: closed) == ["photo.jpg"])
      #expect(try await service.finished() == .exited(0))
    }
  }
}
