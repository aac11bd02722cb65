import Foundation
import GRDB
import Glibc
import JSON
import Support
import Testing

extension Faults {
  /// What people and programs do to the files of a service that runs.
  @Suite("The ground moves under a running service")
  struct GroundTests {
    private let scene: Scene
    init() throws { scene = try Scene() }

    private func expectRefusal(_ answer: JSONValue) {
      #expect(answer["error"]?["data"]?["kind"] == "storage_unavailable", "\(answer.text)")
      #expect(answer["error"]?["code"]?.int64 == 503)
    }

    @Test(
      "a killed service's database, replaced by a backup, is told with its cure by every command", arguments: [true, false])
    func replacedAfterKill(isMoved: Bool) async throws {
      let service = try scene.service()
      try await scene.expectHeadshot(by: service)
      let copy = "\(scene.folder.path)/copy"
      try await copyDatabase(to: copy)
      try await scene.expectHeadshot(by: service)
      kill(service.processID, SIGKILL)
      _ = try await service.finished()
      let database = "\(scene.data)/atelier.sqlite"
      if isMoved {
        #expect(rename(copy, database) == 0)
      } else {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        let number = open(database, O_WRONLY | O_TRUNC | O_CLOEXEC)
        _ = bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
        close(number)
      }
      for command in [["doctor"], ["history"], ["credits", "audit"]] {
        let run = try await CommandRun(command + ["--data-dir", scene.data], in: scene.folder)
        #expect([1, 3].contains(run.status), "\(run)")
        #expect((run.output + run.errors).contains("mv \(database)-wal \(database)-shm /tmp"), "\(run)")
      }
      for file in ["-wal", "-shm"] { #expect(rename(database + file, copy + file) == 0) }
      let history = try await CommandRun(["history", "--json", "--data-dir", scene.data], in: scene.folder)
      #expect(history.status == 0 && history.output.contains("gen_"), "\(history)")
    }

    /// As SQLite copies it, while the service works with it.
    private func copyDatabase(to path: String) async throws {
      let reader = try DatabaseQueue(path: "\(scene.data)/atelier.sqlite")
      try await reader.vacuum(into: path)
      try reader.close()
    }

    @Test("a log that belongs to another database is set aside when a backup is restored, and damages nothing")
    func restoredBesideStrayLog() async throws {
      let service = try scene.service()
      try await scene.expectHeadshot(by: service)
      let (copy, backup) = ("\(scene.folder.path)/copy", "\(scene.folder.path)/backup")
      #expect(try await CommandRun(["backup", backup, "--data-dir", scene.data], in: scene.folder).status == 0)
      try await copyDatabase(to: copy)
      try await scene.expectHeadshot(by: service)
      kill(service.processID, SIGKILL)
      _ = try await service.finished()
      let database = "\(scene.data)/atelier.sqlite"
      #expect(rename(copy, database) == 0)
      let restore = try await CommandRun(["restore", backup, "--data-dir", scene.data], in: scene.folder)
      #expect(restore.status == 0, "\(restore)")
      #expect(access("\(database).stray-wal", F_OK) == 0)
      let replaced = try DatabaseQueue(path: "\(database).replaced")
      #expect(try await replaced.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
      #expect(try await replaced.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM generation") } == 1)
      try replaced.close()
      let history = try await CommandRun(["history", "--json", "--data-dir", scene.data], in: scene.folder)
      #expect(history.status == 0 && history.output.contains("gen_"), "\(history)")
    }

    @Test("another database under the name of the open one is told of, and nothing is promised")
    func swapped() async throws {
      let other = try Scene()
      let first = try other.service()
      try await other.expectHeadshot(by: first)
      #expect(try await first.finished() == .exited(0))
      let service = try scene.service()
      try await scene.expectHeadshot(by: service)
      #expect(rename("\(other.data)/atelier.sqlite", "\(scene.data)/atelier.sqlite") == 0)
      for _ in 0..<2 { expectRefusal(try await service.call("generate", scene.headshot())) }
      let status = try await service.call("status")
      #expect(status["result"]?["store"]?["healthy"] == false)
      #expect(status["result"]?["store"]?["problem"]?.string?.contains("replaced") == true, "\(status.text)")
      #expect(try await service.call("ping")["result"] == .object([:]))
      #expect(try await service.finished() == .exited(0))
      #expect(service.errorText.contains("\(scene.data)/atelier.sqlite is another file now"), "\(service.errorText)")
      let next = try scene.service()
      try await scene.expectHeadshot(by: next)
    }

    @Test("the limit of open files is raised; the worker has its own")
    func openFiles() async throws {
      let service = try scene.service(launcher: ["/bin/sh", "-c", "ulimit -S -n 256; exec \"$@\"", "sh"])
      try await scene.expectHeadshot(by: service)
      let own = try limits(of: service.processID)
      #expect(own.soft == min(own.hard, 65_536) && own.soft > 256)
      let worker = try #require(service.workers.first)
      #expect(try limits(of: worker.processID) == (64, 64))
    }

    @Test("a service with too few open files says so in its sentence", arguments: [37, 40, 64])
    func fewFiles(limit: Int) async throws {
      let service = try scene.service(launcher: ["/bin/sh", "-c", "ulimit -n \(limit); exec \"$@\"", "sh"])
      let asked = (0..<12).map { _ in service.ask("generate", scene.headshot()) }
      for id in asked {
        let answer = try await service.answer(to: id)
        guard let error = answer["error"] else { continue }
        #expect(error["data"]?["kind"] == "overloaded", "\(answer.text)")
        #expect(error["data"]?["details"]?["hint"]?.string?.contains("ulimit") == true, "\(answer.text)")
      }
      try await scene.expectHeadshot(by: service)
    }

    private func limits(of process: Int32) throws -> (soft: Int, hard: Int) {
      let text = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
      let words = (line ?? "").split(separator: " ")
      return (words.count > 4 ? Int(words[3]) ?? .max : 0, words.count > 4 ? Int(words[4]) ?? .max : 0)
    }

    @Test("a name that is not UTF-8 is refused, and nothing is made for it", arguments: [
      #"exec "$0" history --data-dir "$(printf 'caf\351')""#, #"exec "$0" history --data-dir="$(printf 'caf\351')""#,
      #"ATELIER_DATA_DIR="$(printf '/tmp/caf\351')" exec "$0" history"#,
      #"HOME="$PWD/$(printf 'caf\351')" exec "$0" history"#,
      #"XDG_DATA_HOME="$PWD/$(printf 'caf\351')" exec "$0" history"#,
      #"mkdir "$(printf 'caf\351')"; cd "$(printf 'caf\351')"; exec "$0" history --data-dir data"#,
      #"ATELIER_CONFIG="$(printf '/tmp/caf\351')" exec "$0" history --data-dir data"#,
      #"exec "$0" generate --data-dir data "$(printf 'caf\351.jpg')""#,
    ])
    func foreignNames(command: String) async throws {
      let folder = try TemporaryDirectory()
      let run = try await CommandRun([], in: folder, after: "cd '\(folder.path)'; \(command)")
      #expect([2, 3].contains(run.status), "\(run)")
      #expect(run.errors.contains("UTF-8"), "\(run)")
      let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix("command.") }
      #expect(made.count == (command.hasPrefix("mkdir") ? 1 : 0), "\(made)")
    }
  }
}
