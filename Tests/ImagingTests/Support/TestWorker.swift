import Imaging
import Support

extension ImagingWorker {
  /// The worker that was built together with the tests. Its deadlines never come, however busy the machine is, unless
  /// a clock says so.
  static func built(
    idleTimeout: Duration = .seconds(60), clock: any Clock<Duration> = ManualClock().timer
  ) throws -> ImagingWorker {
    ImagingWorker(executable: try locate(), options: WorkerOptions(idleTimeout: idleTimeout), clock: clock)
  }
}

/// Runs `body` with a worker and ends the worker whatever happens.
func withWorker<Value: Sendable>(
  idleTimeout: Duration = .seconds(60), clock: any Clock<Duration> = ManualClock().timer,
  _ body: (ImagingWorker) async throws -> Value
) async throws -> Value {
  let worker = try ImagingWorker.built(idleTimeout: idleTimeout, clock: clock)
  do {
    let value = try await body(worker)
    await worker.shutDown()
    return value
  } catch {
    await worker.shutDown()
    throw error
  }
}
