/// How far the generations of a command are, as a line for a person: a value, fed with a clock's milliseconds.
struct BatchProgress: Sendable, Equatable {
  /// How many generations there are.
  private(set) var count: Int
  /// How many of them have ended.
  private(set) var ended = 0
  /// How far those that run are, from 0 to 1, by position.
  private var running: [Int: Double] = [:]
  /// When the first of the present ones began.
  private var startedAtMs: Int64?
  /// How many had ended before the present ones were added.
  private var endedBefore = 0

  init(count: Int) { self.count = count }

  /// Further generations are to be made. Rate and time are those of the present ones.
  mutating func add(_ more: Int) {
    if ended == count { (startedAtMs, endedBefore) = (nil, ended) }
    count += more
  }

  mutating func moved(_ position: Int, to fraction: Double, atMs now: Int64) {
    startedAtMs = startedAtMs ?? now
    running[position] = fraction
  }

  mutating func ended(_ position: Int, atMs now: Int64) {
    startedAtMs = startedAtMs ?? now
    running[position] = nil
    ended += 1
  }

  /// The filled part of the bar, its empty part, and the words: `3/10, 12/min, 2 min left, running: 45 %, 10 %`.
  func line(atMs now: Int64) -> (filled: String, empty: String, rest: String) {
    let width = 20
    let done = count == 0 ? 0 : (Double(ended) + running.values.reduce(0, +)) / Double(count)
    let filled = min(width, Int(done * Double(width)))
    let percents = running.sorted { $0.key < $1.key }.map { "\(Int($0.value * 100)) %" }
    let parts = ["\(ended)/\(count)", rate(atMs: now), timeLeft(atMs: now)].compactMap { $0 }
      + (percents.isEmpty ? [] : ["running: " + percents.joined(separator: ", ")])
    return (
      String(repeating: "#", count: filled), String(repeating: ".", count: width - filled),
      parts.joined(separator: ", ")
    )
  }

  /// `12/min`, or `20/h` for what takes longer; nil while nothing has ended.
  private func rate(atMs now: Int64) -> String? {
    guard let startedAtMs, ended > endedBefore, now > startedAtMs else { return nil }
    let perMinute = Double(ended - endedBefore) * 60_000 / Double(now - startedAtMs)
    return perMinute >= 1 ? "\(Int(perMinute.rounded()))/min" : "\(Int((perMinute * 60).rounded()))/h"
  }

  /// `40 s left`, `2 min left`, `3 h left`; nil while nothing has ended, and when nothing is left.
  private func timeLeft(atMs now: Int64) -> String? {
    guard let startedAtMs, ended > endedBefore, ended < count else { return nil }
    let done = Double(ended - endedBefore) + running.values.reduce(0, +)
    let left = Double(count - endedBefore) - done
    let seconds = max(0, Double(now - startedAtMs) / 1000 * left / done)
    if seconds < 60 { return "\(Int(seconds.rounded(.up))) s left" }
    return seconds < 5400 ? "\(Int((seconds / 60).rounded())) min left" : "\(Int((seconds / 3600).rounded())) h left"
  }
}
