import Foundation
import GRDB
import Glibc
import JSON
import Support
import Testing

extension Faults {
  /// The data directory is not what it should be. Whoever asks is told, nothing that was there is changed, and the same
  /// process works on as soon as somebody has mended it.
  @Suite("A broken data directory")
  struct BrokenDirectoryTests {
    private let home: TemporaryDirectory
    private let data: String

    init() throws {
      home = try TemporaryDirectory()
      data = "\(home.path)/data"
      try home.write("face.jpg", try Fixture.bytes("images/face.jpg"))
    }

    private var headshot: JSONValue {
      ["recipe": "headshot", "image": ["path": .string("\(home.path)/face.jpg")], "progress": false]
    }

    @Test("a data directory that is a file is named, and works once it is none")
    func file() async throws {
      try home.write("data", Array("mine".utf8))
      let service = try ServiceChild(dataDirectory: data)
      try await expectRefusal(by: service, "storage_unavailable")
      #expect(try String(contentsOfFile: data, encoding: .utf8) == "mine")
      unlink(data)
      try await expectHeadshot(by: service)
      #expect(try await service.finished() == .exited(0))
    }

    @Test(
      "a data directory that cannot be made is named, and works once it can",
      .enabled(if: Privilege.canBeDropped, "the build lies where an unprivileged user cannot start it"))
    func parent() async throws {
      Privilege.hand("\(home.path)/face.jpg")
      Privilege.hand(home.path)
      chmod(home.path, 0o500)
      let service = try ServiceChild(dataDirectory: data, launcher: Privilege.launcher)
      try await expectRefusal(by: service, "storage_unavailable")
      chmod(home.path, 0o700)
      try await expectHeadshot(by: service)
    }

    @Test("a data directory of a newer version is left as it is")
    func newer() async throws {
      try await makeDatabase()
      let connection = try DatabaseQueue(path: database)
      try await connection.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
      try connection.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: database))
      let service = try ServiceChild(dataDirectory: data)
      try await expectRefusal(by: service, "internal")
      #expect(try await service.finished() == .exited(3))
      #expect(service.errorText.contains("newer version"), "\(service.errorText)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    }

    @Test("a data directory whose database is another file is left as it is")
    func foreign() async throws {
      try await makeDatabase()
      let text = Data("This is somebody's diary.\n".utf8)
      try text.write(to: URL(fileURLWithPath: database))
      let service = try ServiceChild(dataDirectory: data)
      try await expectRefusal(by: service, "internal")
      #expect(try await service.finished() == .exited(3))
      #expect(service.errorText.contains("not a database"), "\(service.errorText)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == text)
    }

    @Test("a data directory whose database is overwritten by chance answers everything", arguments: 0..<6 as Range<UInt64>)
    func damaged(seed: UInt64) async throws {
      try await makeDatabase()
      var random = SplitMix64(seed: seed)
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: database)))
      // Behind the header: with that the file would not be a database any more.
      for _ in 0..<3 {
        let start = Int.random(in: 100..<bytes.count - 512, using: &random)
        for index in start..<start + 512 { bytes[index] = UInt8.random(in: .min ... .max, using: &random) }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: database))
      let service = try ServiceChild(dataDirectory: data)
      for _ in 0..<2 {
        // Where the damage lies decides whether it shows; an error must say what it is.
        let answer = try await service.call("generate", headshot)
        if let error = answer["error"] { expectSentence(in: error, "internal") }
        _ = try await service.call("history")
        let status = try await service.call("status")
        #expect(status["result"]?["version"]?.string != nil, "seed \(seed): \(status.text)")
      }
      let end = try await service.finished()
      #expect(end == .exited(0) || end == .exited(3), "seed \(seed): \(end)")
      #expect(service.output.value.strayLines == [])
    }

    @Test("a data directory that is taken away meanwhile is named, and nobody crashes")
    func takenAway() async throws {
      let service = try ServiceChild(dataDirectory: data)
      try await expectHeadshot(by: service)
      try FileManager.default.removeItem(atPath: data)
      for method in ["generate", "history"] {
        let answer = try await service.call(method, method == "generate" ? headshot : [:])
        expectSentence(in: answer["error"] ?? .null, "storage_unavailable")
      }
      #expect(try await service.call("status")["result"]?["store"]?["healthy"] == false)
      #expect(try await service.finished() == .exited(0))
      let next = try ServiceChild(dataDirectory: data)
      try await expectHeadshot(by: next)
    }

    @Test(
      "a data directory that is read-only is named, and works once it is not",
      .enabled(if: SmallDisk.isPermitted, "only root may mount"))
    func readOnly() async throws {
      let disk = try SmallDisk(bytes: 8 << 20)
      disk.makeReadOnly(true)
      let service = try ServiceChild(dataDirectory: disk.path)
      try await expectRefusal(by: service, "storage_unavailable")
      disk.makeReadOnly(false)
      try await expectHeadshot(by: service)
      #expect(try await service.finished() == .exited(0))
      try expectNoFindings(disk.path, processes: 0)
    }

    @Test(
      "a data directory on a full disk is named, and works once there is room, with nothing left behind",
      .enabled(if: SmallDisk.isPermitted, "only root may mount"), arguments: [16, 100, 200, 250, 300, 350, 400])
    func full(kibibytes: Int) async throws {
      let disk = try SmallDisk(bytes: kibibytes << 10)
      let service = try ServiceChild(dataDirectory: disk.path)
      let asked = service.ask("generate", headshot)
      for _ in 0..<60 { _ = try await service.call("status") }
      disk.resize(bytes: 8 << 20)
      // It was refused, or what was made has waited for room.
      let answer = try await service.answer(to: asked)
      if let error = answer["error"] { expectSentence(in: error, "storage_full") }
      try await expectHeadshot(by: service)
      try expectNoFindings(disk.path, processes: 1)
      #expect(try await service.finished() == .exited(0))
      // Whoever could not clean up everything leaves its lock; the next process looks behind it.
      let next = try ServiceChild(dataDirectory: disk.path)
      _ = try await next.call("history")
      // It sweeps in the background.
      for _ in 0..<3_000 where try FileManager.default.contentsOfDirectory(atPath: "\(disk.path)/processes").count > 1 {
        _ = try await next.call("status")
      }
      try expectNoFindings(disk.path, processes: 1)
      #expect(try await next.finished() == .exited(0))
      try expectNoFindings(disk.path, processes: 0)
    }

    @Test(
      "a full output folder is named, not the data directory, and nothing is left in it",
      .enabled(if: SmallDisk.isPermitted, "only root may mount"))
    func fullOutput() async throws {
      let disk = try SmallDisk(bytes: 16 << 10)
      let service = try ServiceChild(dataDirectory: data)
      var params = headshot.object ?? [:]
      params["output"] = ["directory": .string(disk.path)]
      let answer = try await service.call("generate", .object(params))
      expectSentence(in: answer["error"] ?? .null, "storage_full")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
      try expectNoFindings(data, processes: 1)
      disk.resize(bytes: 8 << 20)
      let next = try await service.call("generate", .object(params))
      #expect(next["result"]?["state"] == "succeeded", "\(next.text)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).count == 1)
    }

    // MARK: -

    private var database: String { "\(data)/atelier.sqlite" }

    private func makeDatabase() async throws {
      let service = try ServiceChild(dataDirectory: data)
      try await expectHeadshot(by: service)
      #expect(try await service.finished() == .exited(0))
    }

    private func expectHeadshot(by service: ServiceChild) async throws {
      let answer = try await service.call("generate", headshot)
      #expect(answer["result"]?["state"] == "succeeded", "\(answer.text)")
    }

    private func expectRefusal(by service: ServiceChild, _ kind: String) async throws {
      for method in ["generate", "history"] {
        let answer = try await service.call(method, method == "generate" ? headshot : [:])
        expectSentence(in: answer["error"] ?? .null, kind)
      }
      #expect(try await service.call("status")["result"]?["store"]?["healthy"] == false)
      #expect(try await service.call("ping")["result"] == .object([:]))
    }

    private func expectNoFindings(_ path: String, processes: Int) throws {
      for finding in try DataDirectoryAudit(path: path).findings(processes: processes) { Issue.record("\(finding)") }
    }

    private func expectSentence(in error: JSONValue, _ kind: String) {
      #expect(error["data"]?["kind"]?.string == kind, "\(error.text)")
      for fault in Sentence.faults(in: error["message"]?.string ?? "", secrets: [data]) {
        Issue.record("\(fault): \(error.text)")
      }
    }
  }
}
