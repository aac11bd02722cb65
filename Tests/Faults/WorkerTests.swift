import Glibc
import Support
import Testing

extension Faults {
  /// The worker dies, hangs or is not there: one clear answer, and on it goes.
  @Suite("A failing worker")
  struct WorkerTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("a worker that is killed in the middle costs one picture", arguments: 0..<3)
    func killed(number: Int) async throws {
      let service = try scene.service()
      let request = service.ask("generate", scene.headshot(["output": ["count": 4]]))
      try await service.reached("processing", of: request)
      let worker = try #require(service.workers.first)
      #expect(worker.name.hasPrefix("atelier-imag"))
      kill(worker.processID, SIGKILL)
      let answer = try await service.answer(to: request)
      if let error = answer["error"] {
        let faults = Sentence.faults(in: error["message"]?.string ?? "", secrets: [scene.data])
        #expect(faults == [], "\(error.text)")
        #expect(error["data"]?["kind"] == "overloaded", "\(error.text)")
        #expect(error["data"]?["retryable"] == true, "\(error.text)")
      } else {
        // The other pictures of the request were made by the next worker.
        #expect(answer["result"]?["state"] == "partial", "\(answer.text)")
        #expect(answer["result"]?["failures"]?.array?.count == 1, "\(answer.text)")
      }
      try await scene.expectHeadshot(by: service)
      #expect(service.workers.map(\.state).contains("Z") == false)
      #expect(service.workers.count == 1)
      try await expectOrderlyEnd(of: service)
    }

    @Test("a worker that is killed while it waits costs nothing")
    func killedIdle() async throws {
      let service = try scene.service()
      for _ in 0..<3 {
        try await scene.expectHeadshot(by: service)
        let worker = try #require(service.workers.first)
        kill(worker.processID, SIGKILL)
      }
      try await scene.expectHeadshot(by: service)
      try await expectOrderlyEnd(of: service)
    }

    @Test("a worker that stands still is given up at the deadline, and replaced")
    func stopped() async throws {
      let service = try scene.service()
      try await scene.expectHeadshot(by: service)
      let worker = try #require(service.workers.first)
      kill(worker.processID, SIGSTOP)
      let answer = try await service.call("generate", scene.headshot(["timeoutMs": 1500]))
      #expect(answer["error"]?["data"]?["kind"] == "timed_out", "\(answer.text)")
      #expect(answer["error"]?["data"]?["retryable"] == true, "\(answer.text)")
      try await ServiceProcessTable.end(of: worker.processID)
      try await scene.expectHeadshot(by: service)
      #expect(service.workers.count == 1)
      try await expectOrderlyEnd(of: service)
    }

    @Test("a worker that stands still does not delay a cancel")
    func stoppedAndCancelled() async throws {
      let service = try scene.service()
      let request = service.ask("generate", scene.headshot(["output": ["count": 4], "idempotencyKey": "k"]))
      try await service.reached("processing", of: request)
      let worker = try #require(service.workers.first)
      kill(worker.processID, SIGSTOP)
      let cancelled = try await service.call("cancel", ["idempotencyKey": "k"])
      #expect(cancelled["result"]?["state"] == "cancelled", "\(cancelled.text)")
      #expect(try await service.answer(to: request)["result"]?["state"] == "cancelled")
      try await ServiceProcessTable.end(of: worker.processID)
      try await scene.expectHeadshot(by: service)
      try await expectOrderlyEnd(of: service)
    }

    @Test("a worker that is not there is told at the start", arguments: [["serve"], ["generate", "photo.jpg"]])
    func missing(arguments: [String]) async throws {
      let lonely = try scene.folder.makeFolder("bin")
      try ProgramFile.copy(ServiceExecutable.path, to: "\(lonely)/atelier")
      let service = try ServiceChild(command: ["\(lonely)/atelier"] + arguments + ["--data-dir", scene.data])
      #expect(try await service.ended() == .exited(1))
      #expect(service.errorText.contains("atelier-imaging"), "\(service.errorText)")
      let sentence = service.errorText.trimmed.replacing("atelier: ", with: "", maxReplacements: 1)
      #expect(Sentence.faults(in: sentence, secrets: [scene.data]) == [], "\(service.errorText)")
    }

    @Test("a worker that is another program is told in each answer")
    func foreign() async throws {
      let folder = try scene.folder.makeFolder("bin")
      try ProgramFile.copy(ServiceExecutable.path, to: "\(folder)/atelier")
      let mute = "#!/bin/sh\necho hello\ncat > /dev/null\n"
      for program in ["#!/bin/sh\nexit 3\n", mute, "no program at all"] {
        try ProgramFile.write(program, at: "\(folder)/atelier-imaging")
        let service = try scene.service(executable: "\(folder)/atelier")
        for _ in 0..<2 {
          // A headshot would be tried three times, for twenty seconds each.
          let answer =
            program == mute
            ? try await service.call("image/prepare", ["image": scene.image])
            : try await service.call("generate", scene.headshot())
          let kind = answer["error"]?["data"]?["kind"]?.string
          #expect(kind == "internal" || kind == "timed_out", "\(program): \(answer.text)")
          let faults = Sentence.faults(in: answer["error"]?["message"]?.string ?? "", secrets: [scene.data, folder])
          #expect(faults == [], "\(program): \(answer.text)")
        }
        #expect(service.workers.filter { $0.state == "Z" } == [])
        #expect(try await service.finished() == .exited(0))
        try scene.expectOrder(processes: 0, program)
      }
    }

    @Test("a worker does not outlive a service that is killed")
    func serviceKilled() async throws {
      let service = try scene.service()
      let request = service.ask("generate", scene.headshot(["output": ["count": 4]]))
      try await service.reached("processing", of: request)
      let workers = service.workers
      try await service.killed()
      #expect(workers.count == 1)
      for worker in workers { try await ServiceProcessTable.end(of: worker.processID) }
    }

    private func expectOrderlyEnd(of service: ServiceChild) async throws {
      #expect(try await DataDirectoryAudit(path: scene.data).lastingFindings(of: service) == [])
      #expect(try await service.finished() == .exited(0))
      try scene.expectOrder(processes: 0)
      #expect(service.errorText == "")
    }
  }
}
