import AtelierProtocol
import Glibc
import JSON
import POSIX
import Support
import Testing

@testable import Imaging

@Suite("The life of the worker")
struct WorkerLifeTests {
  /// Work that takes long enough to be interrupted, and tells when it is under way.
  static func photo() throws -> [UInt8] { try Fixture.portrait("astronaut.png") }

  @Test("the worker begins with the first job, and a second one finds it warm")
  func startsAtFirstUse() async throws {
    try await withWorker { worker in
      #expect(await worker.processIdentifier == nil)
      _ = try await worker.inspect(try Fixture.image("plain.jpg"))
      let first = try #require(await worker.processIdentifier)
      _ = try await worker.inspect(try Fixture.image("plain.png"))
      #expect(await worker.processIdentifier == first)
    }
  }

  @Test("the worker can begin before the first job, once")
  func warmedUp() async throws {
    try await withWorker { worker in
      await worker.warmUp()
      let first = try #require(await worker.processIdentifier)
      await worker.warmUp()
      _ = try await worker.inspect(try Fixture.image("plain.jpg"))
      #expect(await worker.processIdentifier == first)
    }
    let missing = ImagingWorker(executable: "/nowhere/atelier-imaging")
    await missing.warmUp()
    #expect(await missing.processIdentifier == nil)
    await #expect(throws: ImagingError.self) { try await missing.inspect(try Fixture.image("plain.jpg")) }
  }

  @Test("the worker is confined: no new privileges, a filter of system calls, nothing of the environment")
  func confined() async throws {
    try await withWorker { worker in
      setenv("ATELIER_TEST_SECRET", "1", 1)
      defer { unsetenv("ATELIER_TEST_SECRET") }
      _ = try await worker.versions()
      let process = try #require(await worker.processIdentifier)
      let status = try ProcessStatus(of: process)
      #expect(status.noNewPrivileges)
      #expect(status.seccompMode == 2)
      #expect(getpgid(process) == process)
    }
  }

  @Test("the worker is confined: limits on what it may use, which it cannot raise")
  func limited() async throws {
    try await withWorker { worker in
      _ = try await worker.versions()
      let status = try ProcessStatus(of: try #require(await worker.processIdentifier))
      for (name, most) in [
        ("Max data size", 768 << 20), ("Max address space", 8 << 30), ("Max open files", 64), ("Max file size", 0),
        ("Max core file size", 0),
      ] {
        #expect(status.limit(name) == ProcessStatus.Limit(present: most, highest: most), "\(name)")
      }
      // The processor time of the job that was done last, beside what the process had used before.
      let time = try #require(status.limit("Max cpu time"))
      #expect((60...120).contains(time.present), "\(time)")
    }
  }

  @Test("the worker gives each job the time it was asked with, or the usual one")
  func deadlines() async throws {
    let (photo, bytes) = (try Self.photo(), try Fixture.image("plain.jpg"))
    let clock = ManualClock()
    try await withWorker(clock: clock.timer) { worker in
      _ = try await worker.inspect(bytes)
      _ = try await worker.prepare(bytes)
      _ = try await worker.thumbnail(bytes, longestSide: 64)
      _ = try await worker.versions()
      _ = try await worker.headshot(photo, options: HeadshotJob(background: .professional))
      #expect(clock.sleeps == [Duration](repeating: ImagingWorker.usualDeadline, count: 5))
      _ = try await worker.inspect(bytes, deadline: .milliseconds(1))
      _ = try await worker.prepare(bytes, deadline: .milliseconds(1500))
      _ = try await worker.thumbnail(bytes, longestSide: 64, deadline: .seconds(7))
      _ = try await worker.versions(deadline: .seconds(3))
      #expect(clock.sleeps.suffix(4) == [1, 1500, 7000, 3000].map { .milliseconds($0) })
    }
  }

  @Test("the worker ends at once when its job is cancelled, and the next job gets a new one")
  func cancelled() async throws {
    let photo = try Self.photo()
    try await withWorker { worker in
      let begun = Outcome<Void>()
      let job = Task {
        try await worker.headshot(photo, options: HeadshotJob(background: .professional)) { _, _ in
          begun.set(.success(()))
        }
      }
      try await begun.wait()
      let process = try #require(await worker.livingProcess)
      job.cancel()
      await #expect(throws: CancellationError.self) { try await job.value }
      #expect(await worker.processIdentifier != process.child.processIdentifier)
      _ = try await worker.inspect(try Fixture.image("plain.jpg"))
      #expect(try await process.child.end.wait() == .killed(signal: SIGKILL))
      #expect(!ProcessStatus.exists(process.child.processIdentifier), "collected, no zombie")
    }
  }

  @Test("the worker is not touched when a waiting job is cancelled")
  func cancelledWhileWaiting() async throws {
    let photo = try Self.photo()
    try await withWorker { worker in
      let begun = Outcome<Void>()
      async let first = worker.headshot(photo, options: HeadshotJob(background: .casual)) { _, _ in
        begun.set(.success(()))
      }
      try await begun.wait()
      let second = Task { try await worker.inspect(photo) }
      let third = Task { try await worker.inspect(photo) }
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
      #expect(try await first.image.width == 1024)
      #expect(try await third.value.width == 512)
    }
  }

  @Test("a worker that dies in the middle of a job costs it one error, which blames the picture only for its own fault",
    arguments: [(SIGKILL, ErrorKind.overloaded, true), (SIGSEGV, .invalidImage, false)])
  func killed(signal: Int32, kind: ErrorKind, isRetryable: Bool) async throws {
    let photo = try Self.photo()
    try await withWorker { worker in
      let begun = Outcome<Void>()
      let job = Task {
        try await worker.headshot(photo, options: HeadshotJob(background: .professional)) { _, _ in
          begun.set(.success(()))
        }
      }
      try await begun.wait()
      kill(try #require(await worker.processIdentifier), signal)
      let error = try await #require(throws: ImagingError.self) { try await job.value }
      #expect(error.kind == kind)
      #expect(error.isRetryable == isRetryable)
      #expect(error.details["signal"]?.int64 == Int64(signal))
      #expect(try await worker.inspect(photo).width == 512)
    }
  }

  @Test("a worker that is killed between two jobs is not noticed")
  func killedBetweenJobs() async throws {
    try await withWorker { worker in
      for _ in 0..<8 {
        _ = try await worker.inspect(try Fixture.image("plain.jpg"))
        kill(try #require(await worker.processIdentifier), SIGKILL)
      }
    }
  }

  @Test("the worker ends by itself when idle, and racing with its leaving is not noticed either")
  func idle() async throws {
    try await withWorker(idleTimeout: .milliseconds(20)) { worker in
      _ = try await worker.inspect(try Fixture.image("plain.jpg"))
      if let process = await worker.livingProcess {
        #expect(try await process.child.end.wait() == .exited(status: 0))
      }
      #expect(await worker.processIdentifier == nil)
    }
    // ProcessExit after a millisecond, it goes at every possible moment between two jobs.
    try await withWorker(idleTimeout: .milliseconds(1)) { worker in
      for _ in 0..<15 { _ = try await worker.inspect(try Fixture.image("plain.jpg")) }
    }
  }

  @Test("a job is cut short by the deadline")
  func deadline() async throws {
    let photo = try Self.photo()
    let clock = ManualClock()
    let worker = try ImagingWorker.built(clock: clock.timer)
    let error = try await #require(throws: ImagingError.self) {
      try await worker.headshot(photo, options: HeadshotJob(background: .professional), deadline: .seconds(3)) { _, _ in
        clock.advance(by: .seconds(3))
      }
    }
    #expect(error.kind == .timedOut)
    #expect(error.details["deadlineMs"]?.int64 == 3000)
    #expect(await worker.processIdentifier == nil)
    await worker.shutDown()
  }

  @Test("the worker does its jobs in the order they were asked for")
  func inOrder() async throws {
    let bytes = try Fixture.image("plain.jpg")
    try await withWorker { worker in
      let finished = Record<Int>()
      await withTaskGroup { group in
        for index in 0..<10 {
          // Immediately: each job has taken its place in the queue before the next is asked for.
          group.addImmediateTask {
            _ = try? await worker.inspect(bytes)
            finished.append(index)
          }
          _ = await worker.processIdentifier
        }
      }
      #expect(finished.events == Array(0..<10))
    }
  }

  @Test(
    "a worker that cannot be started is explained",
    arguments: ["/nonexistent/atelier-imaging", "/bin/false", "/bin/true", "/"])
  func missing(executable: String) async throws {
    let worker = ImagingWorker(executable: executable, clock: ManualClock().timer)
    for _ in 0..<2 {
      let error = try await #require(throws: ImagingError.self) {
        try await worker.inspect(try Fixture.image("plain.jpg"))
      }
      #expect(error.kind == .internal)
      #expect(error.forOperators.contains("atelier doctor"))
      #expect(!error.message.contains("/nonexistent"))
    }
    await worker.shutDown()
  }

  @Test("a worker that does not start leaves its reason for an operator, and keeps it from the host")
  func diagnostics() async throws {
    let folder = try TemporaryDirectory()
    let script = folder.path("worker")
    try ProgramFile.write("#!/bin/sh\necho libfoo is missing >&2\nexit 127\n", at: script)
    let worker = ImagingWorker(executable: script, clock: ManualClock().timer)
    let error = try await #require(throws: ImagingError.self) { try await worker.versions() }
    #expect(error.kind == .internal)
    #expect(error.details["exitStatus"]?.int64 == 127)
    #expect(!error.message.contains("libfoo"))
    #expect(await worker.startupDiagnostics == "libfoo is missing\n")
  }

  @Test("the worker ends when it is shut down, even in the middle of a job")
  func shutDown() async throws {
    let photo = try Self.photo()
    let worker = try ImagingWorker.built()
    let begun = Outcome<Void>()
    let job = Task {
      try await worker.headshot(photo, options: HeadshotJob(background: .professional)) { _, _ in
        begun.set(.success(()))
      }
    }
    try await begun.wait()
    let process = try #require(await worker.processIdentifier)
    await worker.shutDown()
    #expect(!ProcessStatus.exists(process))
    await #expect(throws: CancellationError.self) { try await job.value }
  }

  @Test("the worker ends when the main process is gone, even in the middle of a job")
  func inputEnds() async throws {
    let photo = try Self.photo()
    let child = try await ChildProcess.launch(try ImagingWorker.locate(), arguments: [], environment: [])
    let parameters = try JSONValueEncoder().encode(
      JobParameters(job: HeadshotJob(background: .casual), inputBytes: photo.count))
    let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": "image/headshot", "params": parameters]
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    try await DedicatedThread.run {
      try BlockingIO.write(request.serialized() + [0x0a], to: child.requests.number)
      try BlockingIO.write(photo, to: child.input.number)
      // The first thing the worker says is that it has begun.
      #expect(try BlockingIO.read(1, from: child.responses.number) == [UInt8(ascii: "{")])
      // Closes the pipe, but leaves its number to the owner.
      dup2(nothing, child.requests.number)
    }
    close(nothing)
    #expect(try await child.end.wait() == .exited(status: 0))
  }

  @Test("the worker does not start with an environment that was not made for it")
  func environment() async throws {
    let child = try await ChildProcess.launch(
      try ImagingWorker.locate(), arguments: [], environment: ["GEMINI_API_KEY=secret"])
    #expect(try await child.end.wait() == .exited(status: 2))
    #expect(child.diagnosticText().contains("without an environment"))
  }

  @Test("the worker tells what it is made of")
  func versions() async throws {
    try await withWorker { worker in
      let versions = try await worker.versions()
      #expect(versions.libvips.hasPrefix("8."))
      #expect(try #require(versions.libheif).hasPrefix("1."))
      #expect(versions.readableFormats == ImageFormat.allCases)
      #expect(versions.modelsUsable)
      #expect(versions.modelsProblem == nil)
    }
  }
}
