import AtelierProtocol
import Glibc
import JSON
import POSIX
import Synchronization

/// What a person sees of a command on standard error while it works: sentences that stay, and progress. That is one changing
/// line at a terminal, otherwise one line for each step.
final class ProgressDisplay: Sendable {
  private struct State {
    var batch: BatchProgress
    /// What was shown last.
    var text = ""
    var isFinished = false
  }

  private let settings: DisplaySettings
  private let isSeveral: Bool
  private let terminal: Terminal
  private let uptimeMs: @Sendable () -> Int64
  private let output = StandardError()
  private let state: Mutex<State>

  /// - Parameters:
  ///   - count: the number of generations.
  ///   - isSeveral: whether they are counted: by default if there are several.
  init(count: Int, isSeveral: Bool? = nil, _ settings: DisplaySettings = DisplaySettings()) {
    self.settings = settings
    self.isSeveral = isSeveral ?? (count > 1)
    terminal = Terminal(STDERR_FILENO, color: settings.color)
    uptimeMs = EngineAssembly.uptimeMs
    state = Mutex(State(batch: BatchProgress(count: count)))
  }

  /// Further generations are to be made.
  func add(_ more: Int) {
    state.withLock { $0.batch.add(more) }
  }

  func show(_ progress: GenerationProgress) {
    switch settings.progress {
    case .none: return
    case .json: showJSON(progress)
    case .text:
      state.withLock { state in
        guard isSeveral else { return showStep(progress, &state) }
        guard let position = progress.requestId?.number?.integer(as: Int.self) else { return }
        state.batch.moved(position, to: progress.overall, atMs: uptimeMs())
        if terminal.rewritesLines { drawBar(&state) }
      }
    }
  }

  /// A generation has ended.
  func ended(_ job: PictureJob, isMade: Bool) {
    guard isSeveral else { return }
    state.withLock { state in
      state.batch.ended(job.position, atMs: uptimeMs())
      guard settings.progress == .text else { return }
      if terminal.rewritesLines { return drawBar(&state) }
      let count = "\(state.batch.ended)/\(state.batch.count)"
      write("\(count) \(job.name?.onOneLine ?? ""): \(isMade ? "made" : "not made")", &state)
    }
  }

  /// A sentence that stays; nothing with `--quiet`.
  func tell(_ sentence: String) {
    guard !settings.isQuiet else { return }
    above { Console.tell(sentence) }
  }

  /// What went wrong.
  func tellFailure(_ sentence: String) {
    above { Console.error(terminal.colored(terminal.wrapped("atelier: \(sentence.onOneLine)"), .red) + "\n") }
  }

  /// Writes above the changing line, which is drawn again with the next progress.
  func above(_ write: () -> Void) {
    state.withLock { state in
      clear(&state)
      write()
    }
  }

  /// Clears the terminal's line; no progress is shown from here on.
  func finish() {
    state.withLock { state in
      clear(&state)
      state.isFinished = true
    }
  }

  private func showJSON(_ progress: GenerationProgress) {
    guard let json = try? JSONValueEncoder().encode(progress).serialized() else { return }
    state.withLock { state in
      if !state.isFinished { output.write(String(decoding: json, as: UTF8.self)) }
    }
  }

  private func showStep(_ progress: GenerationProgress, _ state: inout State) {
    let step = progress.step.map { " (\($0.index + 1) of \($0.count))" } ?? ""
    let sentence = progress.message.text.onOneLine + step
    guard terminal.rewritesLines else { return write(sentence, &state) }
    let percent = progress.fraction.map { " \(Int($0 * 100)) %" } ?? ""
    draw(DisplayWidth.cut(sentence + percent, to: room), &state)
  }

  private func drawBar(_ state: inout State) {
    let (filled, empty, rest) = state.batch.line(atMs: uptimeMs())
    let plain = "[\(filled)\(empty)] \(rest)"
    guard DisplayWidth.columns(of: "[\(filled)\(empty)] ") <= room else {
      return draw(DisplayWidth.cut(plain, to: room), &state)
    }
    let bar = terminal.colored(filled, .green) + terminal.colored(empty, .dim)
    draw("[\(bar)] " + DisplayWidth.cut(rest, to: room - filled.count - empty.count - 3), &state)
  }

  /// A line that reached the last column could wrap, and not be cleared.
  private var room: Int { terminal.columns - 1 }

  private func clear(_ state: inout State) {
    // A step that was told as a line of its own is not told again.
    guard terminal.rewritesLines else { return }
    if !state.text.isEmpty { Console.error("\r\u{1B}[K") }
    state.text = ""
  }

  private func draw(_ text: String, _ state: inout State) {
    guard text != state.text, !state.isFinished else { return }
    state.text = text
    Console.error("\r\u{1B}[K\(text)")
  }

  private func write(_ line: String, _ state: inout State) {
    guard line != state.text, !state.isFinished else { return }
    state.text = line
    output.write(line)
  }
}
