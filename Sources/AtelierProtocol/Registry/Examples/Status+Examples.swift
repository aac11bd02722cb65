extension Status {
  public static let title = "See where things stand"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample(
      "The service", Status(),
      answer: .service(
        ServiceStatus(
          version: "0.1.0", uptimeMs: 86_400_000, inFlight: 1, queued: 0, providers: [ExampleValues.provider],
          store: ServiceStatus.StoreHealth(path: ExampleValues.dataDirectory, schemaVersion: 1, healthy: true),
          counters: ServiceStatus.Counters(accepted: 12, succeeded: 10, failed: 1), memoryBytes: 21_430_272))),
    RequestExample(
      "A generation", Status(target: .id(ExampleValues.generationId)),
      answer: .generation(
        GenerationStatus(
          generationId: ExampleValues.generationId, state: .running, phase: .processing,
          message: "Separating you from the background…", fraction: 0.4, sequence: 6,
          createdAt: ExampleValues.accepted, startedAt: ExampleValues.started, etaMs: 410, account: .owner,
          recipe: .headshot, provider: .ondevice))),
    RequestExample(
      "An account", Status(account: .owner),
      answer: .account(
        AccountStatus(
          account: .owner, tier: .owner, credits: .unmetered(.owner), limits: [],
          running: [ExampleValues.generationId]))),
  ]
}
