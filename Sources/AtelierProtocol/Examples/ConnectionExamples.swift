
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

extension Initialized {
  public static let title = "The host is ready"
  public static let example = Initialized()
}

extension Ping {
  public static let title = "See whether the service answers"
  public static let errors: [ErrorKind] = []
  public static let examples = [RequestExample("Ping", Ping(), answer: Result())]
}

extension Shutdown {
  public static let title = "Prepare to leave"
  public static let errors: [ErrorKind] = []
  public static let examples = [RequestExample("Shut down", Shutdown(), answer: NullResult())]
}

extension Exit {
  public static let title = "End the process"
  public static let example = Exit()
}

extension Discover {
  public static let title = "Read the OpenRPC document"
  public static let errors: [ErrorKind] = []

  public static let examples = [
    RequestExample(
      "Discover", Discover(),
      answer: [
        "openrpc": "1.3.2", "info": ["title": "Atelier", "version": .string(ProtocolVersion.current)], "methods": [],
      ])
  ]
}
