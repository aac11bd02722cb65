import Foundation
import GeminiSimulator
import Support
import Testing

extension Faults {
  /// Cancels against a provider elsewhere: the connection is closed, there is one answer, nothing stays.
  @Suite("A cancel while the cloud works")
  struct CloudCancelTests {
    /// Where the work stands when the cancel comes.
    enum Moment: String, CaseIterable, Sendable {
      /// The server does not read the photo.
      case uploading = "stall-during-upload"
      /// The server thinks.
      case processing = "hold"
      /// Half of the answer is there.
      case receiving = "hold-mid-body"

      var reached: RequestRecord.State { self == .uploading ? .receiving : .received }
    }

    @Test(
      "a cancel while the cloud works closes the connection, is answered once, and leaves nothing",
      arguments: Moment.allCases)
    func closes(moment: Moment) async throws {
      let cloud = try await CloudScene()
      let service = try cloud.service()
      let request = service.ask("generate", cloud.edit("a scarf [[fault:\(moment.rawValue)]]"))
      try await cloud.simulator.waitForRequest(1, reaching: moment.reached)
      // What the kernel's buffers hold counts as sent, so a small photo is soon on its way.
      _ = try await service.notification("generation/progress") {
        ["uploading", "processing"].contains($0["phase"]?.string)
      }
      service.write(Array(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(request)}}"#.utf8) + [10])
      try await cloud.simulator.waitForClose(of: 1)
      let answer = try await service.answer(to: request)
      #expect(answer["result"]?["state"] == "cancelled", "\(answer.text)")
      #expect(answer["result"]?["images"] == .array([]))
      #expect(try await service.finished() == .exited(0))
      #expect(service.output.value.messages.count { $0["id"]?.int64 == Int64(request) } == 1)
      #expect(cloud.simulator.requests.count == 1, "it is not sent again")
      #expect(try cloud.scene.files(below: "artifacts").isEmpty)
      try cloud.scene.expectOrder(processes: 0)
      await cloud.simulator.stop()
    }

    @Test("a cancel ends a wait before the request is sent again, without sending it")
    func whileWaiting() async throws {
      let cloud = try await CloudScene()
      let service = try cloud.service()
      let request = service.ask("generate", CloudScene.create("a lighthouse [[fault:429-minute]]"))
      _ = try await service.notification("provider/changed") { $0["available"] == false }
      _ = try await service.notification("generation/progress") {
        $0["message"]?.string?.contains("trying again") == true
      }
      let cancelled = try await service.call(
        "cancel", ["generationId": .string(try await service.generation(of: request))])
      #expect(cancelled["result"]?["state"] == "cancelled", "\(cancelled.text)")
      #expect(try await service.answer(to: request)["result"]?["state"] == "cancelled")
      #expect(try await service.finished() == .exited(0))
      #expect(cloud.simulator.requests.count == 1)
      await cloud.simulator.stop()
    }
  }
}

extension Scene {
  /// The files of a part of the data directory.
  func files(below part: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: "\(data)/\(part)")?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(data)/\(part)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }
}
