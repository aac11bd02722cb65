import Synchronization

/// What the host counts, for whoever operates it.
final class Counters: Sendable {
  /// How many photos are being received.
  let uploads = Gauge()
  private let responses = Mutex<[Int: Int]>([:])
  private let guestsWithGift = Gauge()
  private let guestsWithoutGift = Gauge()

  func countResponse(status: Int) { responses.withLock { $0[status, default: 0] += 1 } }

  func countGuest(hasGift: Bool) { (hasGift ? guestsWithGift : guestsWithoutGift).add(1) }

  /// In the text format of Prometheus.
  /// - Parameters:
  ///   - connections: how many connections are served.
  ///   - streams: how many event streams are open.
  func text(connections: Int, streams: Int) -> String {
    var lines = [
      "# HELP atelier_web_connections Connections that are open.", "# TYPE atelier_web_connections gauge",
      "atelier_web_connections \(connections)",
      "# HELP atelier_web_event_streams Event streams that are open.", "# TYPE atelier_web_event_streams gauge",
      "atelier_web_event_streams \(streams)",
      "# HELP atelier_web_uploads Photos that are being received.", "# TYPE atelier_web_uploads gauge",
      "atelier_web_uploads \(uploads.value)",
      "# HELP atelier_web_guests_total New guests, by whether they were given credits.",
      "# TYPE atelier_web_guests_total counter",
      "atelier_web_guests_total{gift=\"yes\"} \(guestsWithGift.value)",
      "atelier_web_guests_total{gift=\"no\"} \(guestsWithoutGift.value)",
      "# HELP atelier_web_responses_total Responses by status.", "# TYPE atelier_web_responses_total counter",
    ]
    for (status, count) in responses.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      lines.append("atelier_web_responses_total{status=\"\(status)\"} \(count)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// How many there are of something that comes and goes.
final class Gauge: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }
  func add(_ step: Int) { number.add(step, ordering: .relaxed) }
}
