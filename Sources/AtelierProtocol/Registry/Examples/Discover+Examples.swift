import JSONRPC

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
