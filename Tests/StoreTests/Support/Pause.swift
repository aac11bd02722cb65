import Dispatch

/// Holds a thread until it is let go.
final class Pause: Sendable {
  private let arrival = DispatchSemaphore(value: 0)
  private let departure = DispatchSemaphore(value: 0)

  func wait() {
    arrival.signal()
    departure.wait()
  }

  /// Returns when somebody waits.
  func reached() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.arrival.wait()
        continuation.resume()
      }
    }
  }

  func open() { departure.signal() }
}
