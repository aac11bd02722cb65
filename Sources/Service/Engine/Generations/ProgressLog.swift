import AtelierProtocol
import Localization
import Providers
import Store

/// The progress of one generation and the duration of each phase: a value, fed with a clock's milliseconds.
struct ProgressLog: Sendable, Equatable {
  private(set) var phase = Phase.queued
  private(set) var message: Sentence
  private(set) var fraction: Double?
  /// How much of everything is done, 0 to 1. It steps back only when the work starts again, because neither the phase
  /// nor its fraction does otherwise.
  var overall: Double { phase.overall(fraction) }
  private(set) var step: GenerationProgress.Step?
  /// The places that lookups have confirmed so far.
  private(set) var places: [Place]?
  /// Rises with every notification, never repeats.
  private(set) var sequence: Int64
  /// When the request was accepted.
  let acceptedAtMs: Int64
  private var phaseSinceMs: Int64
  private var spentMs: [Phase: Int64] = [:]
  private(set) var lastToldMs: Int64

  /// The message before the work has reported one.
  static func firstMessage(in phase: Phase) -> Sentence {
    phase == .queued ? "Waiting for a free slot…" : "Preparing your request…"
  }

  /// - Parameter hasSlot: whether its slot is free for it from the first moment, so that it waits for none.
  init(acceptedAtMs: Int64, sequence: Int64 = 0, hasSlot: Bool = false) {
    self.sequence = sequence
    message = Self.firstMessage(in: hasSlot ? .preparing : .queued)
    self.acceptedAtMs = acceptedAtMs
    phaseSinceMs = acceptedAtMs
    lastToldMs = acceptedAtMs
  }

  /// Records the progress of the work. A phase never goes back: a resend is part of the phase that was reached.
  /// - Returns: whether there is something to report; what says the same as before is no news.
  mutating func move(to progress: ImageProgress, step: GenerationProgress.Step?, atMs now: Int64) -> Bool {
    guard progress.phase.position >= phase.position else { return false }
    let before = (phase, message, fraction, self.step, places)
    if progress.phase != phase {
      spentMs[phase, default: 0] += max(0, now - phaseSinceMs)
      phaseSinceMs = now
      phase = progress.phase
      fraction = nil
    }
    message = progress.message
    // Another picture of the same generation may be further behind, and a second try begins anew.
    fraction = progress.fraction.map { max($0.thousandths, fraction ?? 0) } ?? fraction
    self.step = step
    places = progress.places ?? places
    return before != (phase, message, fraction, step, places)
  }

  /// Records that the work starts again later: the only way back to the first phase.
  mutating func wait(_ message: Sentence, atMs now: Int64) {
    if phase != .queued {
      spentMs[phase, default: 0] += max(0, now - phaseSinceMs)
      phaseSinceMs = now
      phase = .queued
    }
    self.message = message
    fraction = nil
    step = nil
  }

  /// Takes the number of the next notification.
  mutating func tell(atMs now: Int64) {
    sequence += 1
    lastToldMs = now
  }

  /// The progress to share with other processes.
  var note: ProgressNote {
    ProgressNote(phase: phase, message: message, fraction: fraction, sequence: sequence)
  }

  /// The progress as a host is told when it asks.
  func shown(queuePosition: Int?, etaMs: Int64?) -> Generation.Progress {
    Generation.Progress(
      sequence: sequence, phase: phase, message: message, fraction: fraction, overall: overall,
      queuePosition: queuePosition, etaMs: etaMs)
  }

  func elapsedMs(atMs now: Int64) -> Int64 {
    max(0, now - acceptedAtMs)
  }

  /// Milliseconds spent in each phase so far.
  func timings(atMs now: Int64) -> Timings {
    var spent = spentMs
    spent[phase, default: 0] += max(0, now - phaseSinceMs)
    return Timings(
      queuedMs: spent[.queued] ?? 0, preparingMs: spent[.preparing] ?? 0, uploadingMs: spent[.uploading] ?? 0,
      processingMs: spent[.processing] ?? 0, savingMs: spent[.saving] ?? 0, totalMs: elapsedMs(atMs: now))
  }
}

extension Phase {
  /// The order of the phases; a phase never goes back.
  var position: Int { Phase.allCases.firstIndex(of: self) ?? 0 }

  /// How much of everything is done, 0 to 1, in this phase. Making the pictures takes most of the time.
  func overall(_ fraction: Double?) -> Double {
    let (begin, end): (Double, Double) =
      switch self {
      case .queued: (0, 0)
      case .preparing: (0, 0.1)
      case .uploading: (0.1, 0.2)
      case .processing: (0.2, 0.95)
      case .saving: (0.95, 1)
      }
    return (begin + (end - begin) * (fraction ?? 0)).thousandths
  }
}

extension Double {
  /// The number between 0 and 1 with at most three decimals.
  fileprivate var thousandths: Double { (Swift.min(1, Swift.max(0, self)) * 1_000).rounded(.down) / 1_000 }
}
