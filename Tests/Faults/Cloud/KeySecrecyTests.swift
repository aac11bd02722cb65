import Foundation
import GeminiSimulator
import Support
import Testing

extension Faults {
  /// The key is in the environment and in the headers of requests, and nowhere else.
  @Suite("The key")
  struct KeySecrecyTests {
    @Test("the key is in no log, trace, error, argument, answer or file of the data directory")
    func nowhere() async throws {
      let cloud = try await CloudScene()
      let trace = "\(cloud.scene.folder.path)/trace.log"
      let service = try cloud.service(["--trace", trace, "--log-level", "trace"])
      var asked: [Int] = []
      for fault in ["", "[[fault:400-key-invalid]]", "[[fault:403-permission]]", "[[fault:reset-mid-body]]"] {
        asked.append(service.ask("generate", CloudScene.create("a lighthouse \(fault)")))
        asked.append(service.ask("generate", cloud.edit("a scarf \(fault)")))
      }
      for request in asked { _ = try await service.answer(to: request) }
      let listed = try await service.call("providers/list", ["fetchModels": true])
      #expect(listed["result"]?["providers"]?[0]?["models"]?.array?.isEmpty == false, "\(listed.text)")
      // A key that a host sets goes to a file, which alone may hold it.
      let set = try await service.call("credentials/set", ["provider": "openai", "key": .string(Self.setKey)])
      #expect(set["result"] != nil, "\(set.text)")
      _ = try await service.call("credentials/status")
      _ = try await service.call("status")
      for number in [service.processID] + service.workers.map(\.processID) {
        let arguments = try String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
        expectSecrecy(of: arguments, "the arguments of process \(number)")
      }
      #expect(try await service.finished() == .exited(0))
      for message in service.output.value.messages { expectSecrecy(of: message.text, "an answer") }
      expectSecrecy(of: service.errorText, "the log")
      expectSecrecy(of: String(decoding: try Data(contentsOf: URL(fileURLWithPath: trace)), as: UTF8.self), "the trace")
      for name in FileManager.default.enumerator(atPath: cloud.scene.data)?.compactMap({ $0 as? String }) ?? []
      where name != "credentials.json" {
        guard let bytes = FileManager.default.contents(atPath: "\(cloud.scene.data)/\(name)") else { continue }
        expectSecrecy(of: String(decoding: bytes, as: UTF8.self), name)
      }
      // The simulator did get it, in the header and nowhere else.
      #expect(cloud.simulator.requests.allSatisfy { [.header, .bearer].contains($0.credential.place) })
      await cloud.simulator.stop()
    }

    private static let setKey = "sk-proj-Zz9876543210-yxwvutsrqponm"

    private func expectSecrecy(of text: String, _ place: String) {
      for key in [CloudScene.key, Self.setKey] {
        #expect(!text.contains(key) && !text.contains(key.dropFirst(6).prefix(12)), "\(place) holds a key")
      }
    }
  }
}
