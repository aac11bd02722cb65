import AtelierProtocol
import Glibc
import JSON
import POSIX
import Support
import Testing

@testable import Imaging

@Suite("The confinement of the worker")
struct ConfinementTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The worker behind a shell script.
  private func worker(
    _ script: String, options: WorkerOptions = WorkerOptions(), log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> ImagingWorker {
    let path = folder.path("worker")
    // The shell adds variables of its own, with which the worker does not start.
    let clean = "exec env -i LC_ALL=C.UTF-8 MALLOC_ARENA_MAX=2"
    try ProgramFile.write("#!/bin/sh\n\(script.replacing("EXEC", with: clean))\n", at: path)
    return ImagingWorker(executable: path, options: options, clock: ManualClock().timer, log: log)
  }

  private var withoutLandlock: String {
    "EXEC '\(ServiceExecutable.probePath)' without-landlock '\(ServiceExecutable.workerPath)' \"$@\""
  }

  @Test("the confinement of the worker is reported by the worker itself")
  func reported() async throws {
    try await withWorker { worker in
      #expect(worker.confinement == nil)
      _ = try await worker.inspect(try Fixture.image("plain.jpg"))
      let confinement = try #require(worker.confinement)
      #expect(confinement.seccomp)
      #expect(!confinement.dumpable)
      #expect(confinement.landlockAbi == (try ConfinementProbe.offeredLandlock()))
      let status = try ProcessStatus(of: try #require(await worker.processIdentifier))
      #expect(status.effectiveCapabilities == 0)
    }
  }

  @Test("the confinement ends the worker when its parent process dies, even if somebody else holds its pipes")
  func parentDies() async throws {
    // The shell is the worker's parent; this process holds the pipes of both, so that no input ends.
    let noted = folder.path("worker.pid")
    let path = folder.path("parent")
    let start = "env -i LC_ALL=C.UTF-8 MALLOC_ARENA_MAX=2 '\(ServiceExecutable.workerPath)' \"$@\" <&0 &"
    try ProgramFile.write("#!/bin/sh\n\(start)\necho $! > '\(noted).new'; mv '\(noted).new' '\(noted)'\nwait\n", at: path)
    let options = WorkerOptions(idleTimeout: .seconds(3600))
    let parent = try await ChildProcess.launch(path, arguments: options.arguments, environment: [])
    // The worker says that it is ready once it is confined.
    let ready = try await DedicatedThread.run { try BlockingIO.read(1, from: parent.responses.number) }
    #expect(ready == [UInt8(ascii: "{")])
    let text = String(decoding: try PhotoFile.readBlocking(noted, maximumBytes: 100), as: UTF8.self)
    let worker = try #require(Int32(text.split(separator: "\n").first ?? ""))
    kill(parent.processIdentifier, SIGKILL)
    // Nobody holds the writing end of this pipe any more when both are gone.
    let pipe = parent.output.number
    let hasEnded = try await DedicatedThread.run {
      var watched = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      return poll(&watched, 1, 30_000) == 1 && Int32(watched.revents) & Int32(POLLHUP) != 0
    }
    #expect(hasEnded, "the worker outlives its parent")
    if !hasEnded { kill(worker, SIGKILL) }
    withExtendedLifetime(parent) {}
  }

  @Test("the confinement of the worker lets a debugger in only when it is told to")
  func debugger() async throws {
    let worker = ImagingWorker(
      executable: ServiceExecutable.workerPath, options: WorkerOptions(allowsDebugger: true), clock: ManualClock().timer)
    _ = try await worker.versions()
    #expect(worker.confinement?.dumpable == true)
    #expect(worker.confinement?.seccomp == true)
    await worker.shutDown()
  }

  @Test("the confinement of the worker does without Landlock on a kernel that has none, and says so")
  func noLandlock() async throws {
    let worker = try worker(withoutLandlock)
    let prepared = try await worker.prepare(try Fixture.image("plain.heic"))
    #expect(prepared.image.format == .jpeg)
    #expect(worker.confinement?.landlockAbi == 0)
    #expect(worker.confinement?.seccomp == true)
    await worker.shutDown()
  }

  @Test("a confinement below the configured minimum decodes nothing and says what is missing")
  func minimum() async throws {
    let worker = try worker(withoutLandlock, options: WorkerOptions(minimumConfinement: .landlock))
    await worker.warmUp()
    for _ in 0..<2 {
      let error = try await #require(throws: ImagingError.self) {
        try await worker.inspect(try Fixture.image("plain.jpg"))
      }
      #expect(error.kind == .internal)
      #expect(error.forOperators.contains("Landlock"), "\(error.forOperators)")
      #expect(error.forOperators.contains("imaging.minimumConfinement"), "\(error.forOperators)")
      #expect(error.details["landlockAbi"]?.int64 == 0)
    }
    await worker.shutDown()
  }

  @Test("the confinement of the worker demands what each minimum says")
  func levels() {
    let nothing = WorkerConfinement(seccomp: false, landlockAbi: 0, dumpable: false, namespaces: true)
    let filter = WorkerConfinement(seccomp: true, landlockAbi: 0, dumpable: false, namespaces: false)
    let both = WorkerConfinement(seccomp: true, landlockAbi: 1, dumpable: false, namespaces: false)
    let reached = [nothing, filter, both].map { confinement in
      MinimumConfinement.allCases.filter { $0.isReached(by: confinement) }
    }
    #expect(reached == [[.none], [.none, .seccomp], [.none, .seccomp, .landlock]])
  }

  @Test("the confinement of the worker passes its options on the command line")
  func options() {
    for minimum in MinimumConfinement.allCases {
      let options = WorkerOptions(idleTimeout: .milliseconds(7), minimumConfinement: minimum, allowsDebugger: true,
        profiles: true)
      #expect(WorkerOptions(arguments: options.arguments) == options)
    }
    for wrong in [["--idle-timeout-ms", "0"], ["--idle-timeout-ms"], ["--minimum-confinement", "all"], ["--help"]] {
      #expect(WorkerOptions(arguments: wrong) == nil, "\(wrong)")
    }
  }

  @Test("the confinement ends a worker that a picture has taken over: one error, a line in the log, the next photo works")
  func takenOver() async throws {
    let log = Record<String>()
    let once = folder.path("once")
    let worker = try worker(
      """
      if mkdir '\(once)' 2>/dev/null; then EXEC '\(ServiceExecutable.probePath)' taken-over; fi
      EXEC '\(ServiceExecutable.workerPath)' "$@"
      """, log: { log.append($0) })
    let error = try await #require(throws: ImagingError.self) {
      try await worker.prepare(try Fixture.image("plain.jpg"))
    }
    #expect(error.kind == .internal)
    #expect(error.details["signal"]?.int64 == Int64(SIGSYS))
    #expect(error.details["systemCall"]?.string?.hasSuffix(" socket") == true, "\(error.details)")
    #expect(log.events.count == 1)
    #expect(log.events.first?.contains(" socket") == true, "\(log.events)")
    let next = try await worker.prepare(try Fixture.image("plain.jpg"))
    #expect(next.changes.isEmpty)
    #expect(log.events.count == 1)
    await worker.shutDown()
  }

  @Test("a violation of the confinement names the call only in plain letters, whatever the worker has written", arguments: [
    ("forbidden system call 41 socket\n", "41 socket"), ("noise\nforbidden system call 435\n", "435"),
    ("forbidden system call \u{1b}[2Jrm\n", nil), ("forbidden system call \n", nil), ("", nil),
    ("forbidden system call " + String(repeating: "a", count: 200), nil),
  ] as [(String, String?)])
  func named(text: String, call: String?) {
    #expect(ConfinementViolation.call(in: text) == call)
  }
}
