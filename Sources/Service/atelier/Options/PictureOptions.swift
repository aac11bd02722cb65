import ArgumentParser
import AtelierProtocol

/// The options of every command that makes pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: """
      The file to write, an existing one is replaced; - writes the picture to standard output. (default: beside the \
      photo, named after it)
      """,
    completion: .file())
  var output: String?

  @Option(
    help: """
      The folder for the pictures, which is made if it is not there; their names are made of the photo's name and the \
      recipe, and nothing is replaced.
      """,
    completion: .directory)
  var directory: String?

  @Flag(help: "Leave the pictures in the data directory, and write none elsewhere.")
  var noOutput = false

  @Flag(
    name: [.short, .long],
    help: "Ask nothing at a terminal: neither before something costs money nor before a file is replaced.")
  var yes = false

  @Option(help: "The number of variations, 1 to 4.")
  var count: Int = 1

  @Option(
    help: """
      The size, such as 1K, 2K or 1024x1536; which there are depends on the provider. On this machine, the pixels of the \
      longest side, 256 to 2048. (default: 1024)
      """,
    completion: .sizes)
  var size: String?

  @Option(
    help: """
      The shape, such as 1:1 or 3:4; which there are depends on the provider. On this machine 1:1, 4:5, 3:4 and 2:3.
      """,
    completion: .shapes)
  var aspectRatio: String?

  @Option(
    help: "A picture to be guided by, at most two, and none for a headshot; - reads standard input.",
    completion: .file())
  var reference: [String] = []

  @Option(
    help: "The provider: ondevice, gemini or openai; by default this machine, or what the configuration says.",
    completion: .providers)
  var provider: String?

  @Option(help: "One of the provider's models.")
  var model: String?

  @Option(help: "use repeats the result of an identical request, at no cost; bypass makes a new one. (default: use)")
  var cache: CachePolicy?

  @Option(help: "The account that the pictures belong to and whose credits pay for them; by default this machine's own.")
  var account: String?

  @Flag(help: "Keep neither the photo nor the picture in history.")
  var `private` = false

  @Flag(help: "Print each generation as JSON, in the form of the protocol, one in each line.")
  var json = false

  @OptionGroup var display: DisplayOptions

  /// Which sizes there are depends on the provider, which refuses the others; none is written like this.
  func validate() throws {
    guard size?.hasPrefix("-") != true else {
      throw ValidationError("--size is such as 1K, 2K or 1024x1536, or a number of pixels such as 1024.")
    }
  }
}

extension CachePolicy: ExpressibleByArgument {}

/// A picture of an earlier generation, as a person names it: by its id, or as `last`.
struct GenerationPicture: ExpressibleByArgument, Sendable {
  let text: String
  let source: ImageSource

  init?(argument: String) {
    text = argument
    guard let colon = argument.lastIndex(of: ":") else {
      source = .generation(GenerationID(rawValue: argument), index: nil)
      return
    }
    guard let index = Int(argument[argument.index(after: colon)...]), (0...3).contains(index) else { return nil }
    source = .generation(GenerationID(rawValue: String(argument[..<colon])), index: index)
  }
}
