extension Initialize {
  public static let title = "Introduce the host and the service"
  public static let errors: [ErrorKind] = []

  public static let examples = [
    RequestExample(
      "A host introduces itself",
      Initialize(
        clientInfo: ClientInfo(name: "photo-booth", version: "2.1"), processId: 4_242, protocolVersion: "1",
        capabilities: Capabilities(progress: true)),
      answer: Result(
        serverInfo: ServerInfo(name: "atelier", version: "0.1.0"),
        capabilities: ServerCapabilities(recipes: [.headshot]),
        limits: Limits(maxMessageBytes: 67_108_864, maxImageBytes: 7_340_032, maxInFlight: 1_024),
        providers: [.ondevice]))
  ]
}
