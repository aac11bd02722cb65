import ArgumentParser

/// `atelier serve`: speaks the protocol on the standard streams.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Speak the protocol on standard input and output (the default).",
    discussion: """
      Answers JSON-RPC 2.0, one message a line or framed by Content-Length, as the input is.

        printf '{"jsonrpc":"2.0","id":1,"method":"status"}\\n' | atelier | jq .result.providers
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var serve: ServeOptions

  func run() async throws {
    try await StdioService(common: common.settings, serve: serve.settings).run()
  }
}
