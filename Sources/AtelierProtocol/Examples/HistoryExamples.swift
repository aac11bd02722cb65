extension History {
  public static let title = "Look through what was generated"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "The latest headshots", History(limit: 1, recipe: .headshot),
      answer: Result(
        entries: [ExampleValues.entry], nextCursor: "AAABkx4b",
        totals: Totals(generations: 12, creditsUsed: 0, costUsd: 0), currentPeriod: "2026-11"))
  ]
}

extension HistoryAnnotate {
  public static let title = "Note something at a record"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  public static let examples = [
    RequestExample(
      "Mark a favourite", HistoryAnnotate(generationId: ExampleValues.generationId, favourite: true),
      answer: ExampleValues.favourite)
  ]
}

extension HistoryDelete {
  public static let title = "Forget generations"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample(
      "Forget one", HistoryDelete(target: .generation(ExampleValues.generationId, account: nil)),
      answer: Result(deleted: 1, bytesFreed: 198_340)),
    RequestExample(
      "Forget everything of an account", HistoryDelete(target: .everything(of: "anna")),
      answer: Result(deleted: 12, bytesFreed: 2_380_080)),
  ]
}

extension HistoryExport {
  public static let title = "Write history into a folder"
  public static let errors: [ErrorKind] = [.permissionDenied, .fileAccessDenied, .storageFull]

  public static let examples = [
    RequestExample(
      "Everything of the default account", HistoryExport(directory: "/home/anna/export"),
      answer: Result(path: "/home/anna/export/atelier-history-owner.jsonl", entries: 12, files: 24))
  ]
}

extension HistoryGet {
  public static let title = "Read one record"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample("One record", HistoryGet(generationId: ExampleValues.generationId), answer: ExampleValues.entry)
  ]
}

extension FeedbackSubmit {
  public static let title = "Say what a result is worth"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  public static let examples = [
    RequestExample(
      "Nearly right",
      FeedbackSubmit(generationId: ExampleValues.generationId, rating: 4, text: "The light is a little cold."),
      answer: Result(
        generationId: ExampleValues.generationId,
        feedback: History.Entry.Feedback(rating: 4, text: "The light is a little cold.")))
  ]
}

extension SessionGet {
  public static let title = "Read the steps of a session"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample(
      "The first step", SessionGet(sessionId: ExampleValues.generationId, limit: 1),
      answer: Result(
        session: ExampleValues.session, entries: [ExampleValues.entry], nextCursor: "MTc5NTIzODc2MDEyMzpnZW5fMA"))
  ]
}

extension SessionList {
  public static let title = "Look through chains of refinements"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "The latest sessions", SessionList(limit: 1),
      answer: Result(sessions: [ExampleValues.session], nextCursor: "MTc5NTIzODc2MDkwMzpnZW5fMQ"))
  ]
}

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
