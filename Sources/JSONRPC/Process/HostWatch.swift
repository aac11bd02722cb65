import Glibc

/// Tells when another process ends, at once and without asking again and again: by its pidfd (Linux 5.3).
///
/// For the `processId` that `initialize` names, and for the parent (PROTOCOL 1, "A dead host").
public final class HostWatch: Sendable {
  private let stopped: WakePipe

  /// Watches the process `processID`.
  /// - Parameter died: called once, on a thread of its own, when the process has ended.
  /// - Returns: nil when there is no such process here: it has ended already, or it belongs to another machine or
  ///   container and its number means nothing here.
  /// - Throws: ``SystemError`` when processes cannot be watched here.
  public init?(processID: Int32, died: @escaping @Sendable () -> Void) throws(SystemError) {
    guard let number = try ProcessDescriptor.open(processID) else { return nil }
    let host = Descriptor(number)
    stopped = try WakePipe()
    try DedicatedThread.start { [stopped] in
      let events = Descriptor.poll([(host.number, POLLIN), (stopped.input.number, POLLIN)])
      if events[1] == 0 { died() }
    }
  }

  /// Watches the parent of this process; one that has ended already counts.
  public static func parent(died: @escaping @Sendable () -> Void) throws(SystemError) -> HostWatch? {
    let parent = getppid()
    let once = Promise<Void>()
    let report: @Sendable () -> Void = {
      if once.fulfil(()) { died() }
    }
    let watch = try HostWatch(processID: parent, died: report)
    // It may have ended, and its number been given away, between the question and the watch.
    if watch == nil || getppid() != parent { report() }
    return watch
  }

  /// Stops watching; `died` is not called any more once the thread has noticed.
  public func stop() { stopped.wake() }

  deinit { stopped.wake() }
}
