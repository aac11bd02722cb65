import AtelierProtocol
import Engine
import POSIX
import Synchronization

/// The work of one command that makes pictures: from its photos, through the questions to the person, to its report.
struct PictureSession: Sendable {
  var supply: PhotoSupply
  let batch: PictureBatch
  let display: ProgressDisplay
  /// Waits until new photos may have come.
  let pause: @Sendable () async throws -> Void
  private(set) var report: PictureReport

  init(
    _ supply: PhotoSupply, batch: PictureBatch, report: PictureReport, pause: @escaping @Sendable () async throws -> Void
  ) {
    (self.supply, self.batch, display, self.report, self.pause) = (supply, batch, batch.display, report, pause)
  }

  /// Works until everything has ended, or a signal comes.
  /// - Returns: the signal that came, if one did.
  /// - Throws: `CommandFailure`.
  mutating func run() async throws -> Int32? {
    let signal = Mutex<Int32?>(nil)
    let task = Task { [self] in
      var session = self
      try await session.work()
      return session
    }
    // If they cannot be watched, they end the process, and the next one records what became of the generations.
    try? TerminationSignals.watch { number in
      signal.withLock { $0 = $0 ?? number }
      task.cancel()
    }
    do {
      self = try await task.value
    } catch is CancellationError {
      throw CommandFailure(sentence: "Cancelled.", status: signal.withLock { $0 }.map { 128 + $0 } ?? 1)
    }
    return signal.withLock { $0 }
  }

  private mutating func work() async throws {
    try await confirmReplacing()
    repeat {
      let jobs = try await next()
      if !jobs.isEmpty {
        display.add(jobs.count)
        try await batch.run(jobs, into: &report)
      }
      guard supply.isWatching, (try? await pause()) != nil else { return }
    } while !Task.isCancelled
  }

  private mutating func next() async throws -> [PictureJob] {
    let before = supply
    let (jobs, after) = try await LazyThreadPool.hostFiles.run {
      var supply = before
      return (try supply.next(), supply)
    }
    supply = after
    return jobs
  }

  /// Asks before `-o` replaces what Atelier has not made.
  private func confirmReplacing() async throws {
    guard case .file(let file) = batch.destination, !batch.isAgreed, AskingTerminal.current != nil else { return }
    for file in supply.wantsMatte ? [file, file.matte] : [file] {
      guard let present = try await LazyThreadPool.hostFiles.run({ file.present() }), !present.isEmpty,
        try await !batch.engine.hasMade(present)
      else { continue }
      try await Confirmation.ask("atelier: \(file.path) is there, and Atelier has not made it. Replace it?", yes: false)
    }
  }
}
