import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier prepare PHOTO`: makes a photo fit for `generate`, and keeps it.
struct PrepareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare",
    abstract: "Prepare a photo of up to 40 MB for several pictures: upright, smaller, without metadata.",
    discussion: """
      Prints the id of the prepared photo, which is kept for a day unless the configuration says otherwise.

        prepared=$(atelier prepare large.heic --longest-side 4096)
        atelier generate --prepared "$prepared" --background casual

      Commands that make pictures prepare a large photo by themselves; this saves doing so several times.
      """)

  @Argument(help: "The photo: JPEG, PNG, WebP, HEIC or AVIF; - reads standard input.", completion: .file())
  var photo: String

  @Option(
    help: "The longest side of the prepared photo in pixels, 256 to 4096; more than 1280 for a headshot. (default: 1280)")
  var longestSide: Int?

  @Option(help: "The account that the prepared photo belongs to; by default this machine's own.")
  var account: String?

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  private func request(_ image: ImageSource) -> ImagePrepare {
    ImagePrepare(image: image, longestSide: longestSide, account: account.map { AccountID(rawValue: $0) })
  }

  func validate() throws {
    try WebAddress.refuse(photo)
    _ = try request(.path(photo)).checked()
  }

  func run() async throws {
    let answer = try await EngineAssembly.withEngine(common.settings) { engine in
      let image: ImageSource =
        photo == StandardInput.name
        ? .data(try await StandardInput.photo(maximumBytes: engine.configuration.maximumPrepareBytes)) : .path(photo)
      var request = request(image)
      request.account = await engine.presentAccount(of: request.account)
      return try await engine.prepare(request, for: Caller())
    }
    if json { return try Console.printJSON(answer) }
    guard let id = answer.preparedId, let expiresAt = answer.expiresAt else { throw CommandFailure(AtelierError(.internal)) }
    print(id.rawValue)
    for warning in answer.warnings ?? [] { Console.tell(CommandWords.sentence(of: warning)) }
    let size = "\(answer.width) × \(answer.height) pixels, \(Megabytes(answer.bytes))"
    Console.tell("\(size); kept until \(expiresAt.localText).")
  }
}
