extension UsageStatistics {
  public static let title = "Count what was made"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "Of an account", UsageStatistics(account: "anna"),
      answer: Result(
        total: Sum(generations: 12, creditsUsed: 0, costUsd: 0.117),
        byRecipe: [Group(name: "headshot", generations: 12, creditsUsed: 0, costUsd: 0.117)],
        byState: [
          Group(name: "succeeded", generations: 11, creditsUsed: 0, costUsd: 0.117),
          Group(name: "failed", generations: 1, creditsUsed: 0, costUsd: 0),
        ],
        byProvider: [
          Group(name: "ondevice", generations: 9, creditsUsed: 0, costUsd: 0),
          Group(name: "gemini", generations: 3, creditsUsed: 0, costUsd: 0.117),
        ],
        byFailure: [Group(name: "no_face_found", generations: 1, creditsUsed: 0, costUsd: 0)],
        byDay: [Day(day: "2026-11-21", generations: 12, creditsUsed: 0, costUsd: 0.117)],
        latency: Latency(
          generations: 11, queuedMs: Percentiles(p50: 6, p95: 9, p99: 9),
          preparingMs: Percentiles(p50: 118, p95: 140, p99: 140),
          uploadingMs: Percentiles(p50: 0, p95: 95, p99: 95),
          processingMs: Percentiles(p50: 610, p95: 7_240, p99: 7_240),
          savingMs: Percentiles(p50: 38, p95: 51, p99: 51),
          totalMs: Percentiles(p50: 775, p95: 7_510, p99: 7_510))))
  ]
}
