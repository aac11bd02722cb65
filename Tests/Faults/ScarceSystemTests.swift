import Foundation
import GeminiSimulator
import Glibc
import JSON
import POSIX
import Support
import Testing

extension Faults {
  @Suite("A system that allows little", .serialized, .timeLimit(.minutes(5)))
  struct ScarceSystemTests {
    /// Nobody else is this user, so only the service and its worker count.
    private static let user = 64_987
    /// What a service needs at least, however many processors there are.
    private static let few = ThreadBudget.service
    private let folder: TemporaryDirectory

    init() throws {
      folder = try TemporaryDirectory()
      chmod(folder.path, 0o755)
      let data = try folder.makeFolder("data")
      chown(data, uid_t(Self.user), gid_t(Self.user))
    }

    /// What starts a command as that user, with at most so many processes and threads.
    private func launcher(threads: Int) -> [String] {
      [
        "/usr/bin/setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", "--", "/usr/bin/prlimit",
        "--nproc=\(threads)", "--",
      ]
    }

    static let canBeLimited = Privilege.isRoot && Privilege.canBeDropped && access("/usr/bin/prlimit", X_OK) == 0

    @Test("a system of few threads carries out or refuses 200 requests, answers meanwhile, and ends when asked to",
      .enabled(if: canBeLimited, "only root can become a user with a limit of its own"))
    func fewThreads() async throws {
      let simulator = try await GeminiSimulator.start(SimulatorOptions())
      let service = try ServiceChild(
        dataDirectory: folder.path("data"), launcher: launcher(threads: Self.few),
        environment: [
          "GEMINI_API_KEY=an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL=\(simulator.baseURL)", "no_proxy=127.0.0.1",
        ])
      let asked = (0..<200).map { number in
        service.ask(
          "generate",
          ["recipe": "create", "prompt": .string("a lighthouse \(number)"), "provider": "gemini", "progress": false])
      }
      #expect(try await service.call("ping")["result"] == [:])
      #expect(try await service.call("status")["result"]?["store"]?["healthy"] == true)
      var made = 0
      for request in asked {
        let answer = try await service.answer(to: request)
        if answer["result"]?["state"] == "succeeded" { made += 1 } else {
          #expect(answer["error"]?["message"]?.string?.isEmpty == false, "\(answer.text)")
        }
      }
      #expect(made == 200)
      service.signal(SIGTERM)
      #expect(try await service.ended() == .exited(0))
    }

    @Test("a system of few threads lets a service end that is in the middle of much work",
      .enabled(if: canBeLimited, "only root can become a user with a limit of its own"))
    func leaving() async throws {
      let simulator = try await GeminiSimulator.start(SimulatorOptions())
      let service = try ServiceChild(
        dataDirectory: folder.path("data"), launcher: launcher(threads: Self.few),
        environment: [
          "GEMINI_API_KEY=an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL=\(simulator.baseURL)", "no_proxy=127.0.0.1",
        ])
      for number in 0..<200 {
        service.ask(
          "generate",
          ["recipe": "create", "prompt": .string("a \(number) [[fault:stall-before-head]]"), "provider": "gemini"])
      }
      try await simulator.waitForRequest(1)
      service.signal(SIGTERM)
      #expect(try await service.ended() == .exited(0))
    }

    @Test("a system of fewer threads than a service needs has it refused with a sentence",
      .enabled(if: canBeLimited, "only root can become a user with a limit of its own"),
      arguments: [1, 2, 4, 8, 13, few - 1],
      [[], ["mcp"], ["history"], ["--version"]])
    func tooFewThreads(threads: Int, arguments: [String]) async throws {
      let service = try ServiceChild(
        dataDirectory: folder.path("data"), arguments, launcher: launcher(threads: threads))
      #expect(try await service.ended() == .exited(1))
      let errors = try await service.wholeErrorText()
      #expect(
        errors.contains("more threads, and Atelier needs") && errors.contains("ulimit -u"),
        "\(errors)")
    }

    @Test("a system of few threads makes a headshot, or refuses it with a sentence, and goes on", .enabled(if: canBeLimited),
      arguments: [few, few + ThreadBudget.worker])
    func fewThreadsForWorker(threads: Int) async throws {
      let photo = try folder.write("face.jpg", try Fixture.bytes("images/face.jpg"))
      chmod(photo, 0o644)
      let service = try ServiceChild(dataDirectory: folder.path("data"), launcher: launcher(threads: threads))
      let answer = try await service.call("generate", ["recipe": "headshot", "image": ["path": .string(photo)]])
      if threads == Self.few {
        #expect(answer["error"]?["data"]?["kind"] == "overloaded", "\(answer.text)")
        #expect(answer["error"]?["data"]?["details"]?["hint"]?.string?.contains("ulimit -u") == true, "\(answer.text)")
      } else {
        #expect(answer["result"]?["state"] == "succeeded", "\(answer.text)")
      }
      #expect(try await service.call("ping")["result"] == [:])
      service.signal(SIGTERM)
      #expect(try await service.ended() == .exited(0))
    }

    @Test("a system of too few open files has a service refused with a sentence", arguments: [4, 8, 24, 32, 36],
      [[], ["mcp"], ["history"], ["--version"]])
    func tooFewFiles(files: Int, arguments: [String]) async throws {
      let service = try ServiceChild(
        dataDirectory: folder.path("own"), arguments,
        launcher: ["/bin/sh", "-c", "ulimit -n \(files); exec \"$@\"", "sh"])
      #expect(try await service.ended() == .exited(1))
      let errors = try await service.wholeErrorText()
      #expect(
        errors.contains("more files, and Atelier needs") && errors.contains("ulimit -n"),
        "\(errors)")
    }

    @Test("the guide describes a system that allows little by the numbers that hold")
    func guide() throws {
      let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
      let text = try String(contentsOfFile: "\(root)/docs/operating.md", encoding: .utf8)
      #expect(text.contains("| \(ThreadBudget.service), and \(ThreadBudget.worker) more for work on pictures |"))
    }

    // With less, the system ends a program before its first instruction: the program itself does not fit.
    @Test("a system of little address space ends a service with a sentence, or serves", arguments: [
      60_000, 110_000, 160_000, 300_000, 600_000, 650_000, 700_000, 750_000, 800_000, 2_000_000,
    ])
    func addressSpace(kilobytes: Int) async throws {
      let service = try ServiceChild(
        dataDirectory: folder.path("own"),
        launcher: ["/bin/sh", "-c", "ulimit -v \(kilobytes); exec \"$@\"", "sh"])
      let request = service.ask("status")
      service.closeInput()
      let end = try await service.ended()
      if end == .exited(0) {
        #expect(try await service.answer(to: request)["result"]?["store"]?["healthy"] == true)
      } else {
        let errors = try await service.wholeErrorText()
        // 127 is the loader's, which has a sentence of its own.
        #expect(end == .exited(1) || end == .exited(127), "\(errors)")
        #expect(errors.contains("ulimit -v") || end == .exited(127), "\(errors)")
        #expect(!errors.isEmpty)
      }
    }
  }
}
