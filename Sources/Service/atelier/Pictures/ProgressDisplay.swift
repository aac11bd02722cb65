import AtelierProtocol
import Glibc
import POSIX
import Synchronization

/// Progress for a person on standard error: one changing line on a terminal, otherwise one line for each step.
final class ProgressDisplay: Sendable {
  private struct State {
    var ended = 0
    /// How far the generations that run are, from 0 to 1, by position.
    var running: [Int: Double] = [:]
    /// What the line shows.
    var text = ""
    var isFinished = false
  }

  private let count: Int
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let output = StandardError()
  private let state = Mutex(State())

  /// - Parameter count: the number of generations.
  init(count: Int) { self.count = count }

  func show(_ progress: GenerationProgress) {
    state.withLock { state in
      if count == 1 {
        let step = progress.step.map { " (\($0.index + 1) of \($0.count))" } ?? ""
        let percent = progress.fraction.map { " \(Int($0 * 100)) %" } ?? ""
        return draw(progress.message + step + (isTerminal ? percent : ""), &state)
      }
      guard let position = progress.requestId?.number?.integer(as: Int.self) else { return }
      state.running[position] = progress.overall
      if isTerminal { draw(bar(state), &state) }
    }
  }

  /// A generation has ended.
  func ended(_ job: PictureJob, isMade: Bool) {
    guard count > 1 else { return }
    state.withLock { state in
      state.running[job.position] = nil
      state.ended += 1
      let line = "\(state.ended)/\(count) \(job.name?.onOneLine ?? ""): \(isMade ? "made" : "not made")"
      draw(isTerminal ? bar(state) : line, &state)
    }
  }

  /// A sentence that stays.
  func tell(_ sentence: String) {
    state.withLock { state in
      clear(&state)
      Console.error("atelier: \(sentence)\n")
    }
  }

  /// Clears the terminal's line; nothing is shown from here on.
  func finish() {
    state.withLock { state in
      clear(&state)
      state.isFinished = true
    }
  }

  private func clear(_ state: inout State) {
    if isTerminal, !state.text.isEmpty { Console.error("\r\u{1B}[K") }
    state.text = ""
  }

  private func draw(_ text: String, _ state: inout State) {
    guard text != state.text, !state.isFinished else { return }
    state.text = text
    if isTerminal {
      // A line that wraps could not be cleared.
      Console.error("\r\u{1B}[K\(text.prefix(Self.columns - 1))")
    } else {
      output.write(text)
    }
  }

  /// `[######..............] 3/10, running: 45 %, 10 %`
  private func bar(_ state: State) -> String {
    let width = 20
    let done = (Double(state.ended) + state.running.values.reduce(0, +)) / Double(count)
    let filled = min(width, Int(done * Double(width)))
    let running = state.running.sorted { $0.key < $1.key }.map { "\(Int($0.value * 100)) %" }
    return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
      + "] \(state.ended)/\(count)" + (running.isEmpty ? "" : ", running: " + running.joined(separator: ", "))
  }

  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
    return Int(size.ws_col)
  }
}
