import Foundation
import Glibc
import JSON
import Support
import Testing

extension Faults {
  /// Every table is walked in one process: a fault costs one clear answer and nothing else.
  @Suite("Bad input")
  struct BadInputTests {
    @Test("a file that cannot be read is told so")
    func files() async throws { try await walk(BadInputTable.files) }

    @Test(
      "a file of others is refused with the missing permission",
      .enabled(if: Privilege.canBeDropped, "the build lies where an unprivileged user cannot start it"))
    func unreadable() async throws { try await walk(BadInputTable.unreadable, launcher: Privilege.launcher) }

    @Test("a file's wrong content is told for what it is")
    func contents() async throws { try await walk(BadInputTable.contents) }

    @Test("an unusual photo is taken")
    func photographs() async throws { try await walk(BadInputTable.photographs) }

    @Test("a wrong folder for pictures is told before any work")
    func folders() async throws { try await walk(BadInputTable.folders) }

    @Test("a wrong id or choice is told with what there is not")
    func choices() async throws { try await walk(BadInputTable.choices) }

    @Test("a param of a wrong type is named, with what it wants")
    func types() async throws { try await walk(BadInputTable.types) }

    @Test("a photo on its side is turned upright by its EXIF, or by the face")
    func upright() async throws {
      let folder = try TemporaryDirectory()
      try PhotoFolder.fill(folder)
      defer { PhotoFolder.open(folder) }
      let service = try ServiceChild(dataDirectory: try folder.makeFolder("data"))
      let turned: JSONValue = ["path": .string("\(folder.path)/face-rotated.jpg")]
      let prepared = try await service.call("image/prepare", ["image": turned])
      #expect(prepared["result"]?["changes"]?.array?.contains("rotated") == true, "\(prepared.text)")
      // The same pixels without EXIF make the same picture.
      var digests: [JSONValue?] = []
      for name in ["face-rotated.jpg", "lying.jpg"] {
        let photo: JSONValue = ["path": .string("\(folder.path)/\(name)")]
        let answer = try await service.call("generate", ["recipe": "headshot", "image": photo])
        digests.append(answer["result"]?["images"]?[0]?["sha256"])
      }
      #expect(digests[0] != nil && digests[0] == digests[1])
    }

    private func walk(_ table: [BadInput], launcher: [String] = []) async throws {
      let photos = try TemporaryDirectory()
      try PhotoFolder.fill(photos)
      defer { PhotoFolder.open(photos) }
      let home = try TemporaryDirectory()
      let data = try home.makeFolder("data")
      if !launcher.isEmpty { for path in [home.path, data] { Privilege.hand(path) } }
      let service = try ServiceChild(dataDirectory: data, launcher: launcher)
      let audit = DataDirectoryAudit(path: data)
      for row in table {
        try await row.check(on: service, folder: photos.path, secrets: [data, ServiceExecutable.path])
        try await expectNextRequestToWork(on: service, photos, after: row)
        for finding in try await audit.lastingFindings(of: service) { Issue.record("after \(row.name): \(finding)") }
        expectNoZombies(of: service, after: row.name)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: photos.path).filter { $0.hasPrefix(".") } == [])
      #expect(try await service.finished() == .exited(0))
      #expect(service.output.value.strayLines == [])
      #expect(service.errorText == "")
      #expect(try audit.findings(processes: 0) == [])
    }

    /// Work for the database and the worker both.
    private func expectNextRequestToWork(
      on service: ServiceChild, _ photos: TemporaryDirectory, after row: BadInput
    ) async throws {
      let answer = try await service.call("image/prepare", ["image": ["path": .string("\(photos.path)/face.jpg")]])
      #expect(answer["result"]?["preparedId"]?.string != nil, "after \(row.name): \(answer.text)")
    }

    private func expectNoZombies(of service: ServiceChild, after name: String) {
      let children = ServiceProcessTable.children(of: service.processID)
      #expect(children.filter { $0.state == "Z" } == [], "after \(name)")
      #expect(children.count <= 1, "after \(name)")
    }
  }
}
