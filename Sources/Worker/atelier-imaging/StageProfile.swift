import Glibc
import Imaging
import POSIX

/// The duration and processor time of each stage of a job, for `--profile`.
struct StageProfile {
  private struct Instant {
    var wall: Double
    /// Of all threads.
    var processor: Double
    /// Pages that the kernel had to provide.
    var faults: Int

    static func now() -> Instant {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Instant(
        wall: seconds(CLOCK_MONOTONIC), processor: seconds(CLOCK_PROCESS_CPUTIME_ID), faults: usage.ru_minflt)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
  }

  /// The beginnings of the stages, in order.
  private var stages: [(step: HeadshotStep?, start: Instant)] = []

  mutating func begin() { stages = [(nil, .now())] }

  mutating func enter(_ step: HeadshotStep) {
    if stages.last?.step != step { stages.append((step, .now())) }
  }

  /// Writes a line a stage, such as `profile image/headshot matting wall 31.20 cpu 30.95 faults 12`, in milliseconds.
  /// What comes before the first stage is called `begin`.
  func end(_ method: String) {
    var text = ""
    for ((step, start), end) in zip(stages, stages.dropFirst().map(\.start) + [.now()]) {
      let name = step?.rawValue ?? "begin"
      text += "profile \(method) \(name) wall \(Self.milliseconds(end.wall - start.wall)) "
      text += "cpu \(Self.milliseconds(end.processor - start.processor)) faults \(end.faults - start.faults)\n"
    }
    try? BlockingIO.write(Array(text.utf8), to: STDERR_FILENO)
  }

  private static func milliseconds(_ seconds: Double) -> String {
    let hundredths = Int((seconds * 1e5).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
