import ArgumentParser
import AtelierProtocol
import Engine
import Glibc
import POSIX
import Providers
import Synchronization

/// `atelier generate PHOTO`: a headshot for a person at a terminal.
struct GenerateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make a headshot from a photo.",
    discussion: """
      Progress goes to standard error, the path of the picture to standard output. The headshot is made on this
      machine. Only a provider that you or the configuration names receives the photo, and what that costs is printed
      before it is sent.

        atelier generate photo.jpg
        atelier generate photo.heic --background casual -o headshot.jpg
        atelier generate photo.jpg --count 4 --directory ~/Pictures
      """)

  @Argument(help: "The photo: JPEG, PNG, WebP, HEIC or AVIF.", completion: .file())
  var photo: String

  @Option(help: "The background: professional or casual.")
  var background: Background = .professional

  @Option(help: "The direction the person faces: left, front, right, or a number from -1 to 1; by default as in the photo.")
  var angle: Angle?

  @Option(name: [.short, .long], help: "The file to write; an existing file is replaced.", completion: .file())
  var output: String?

  @Option(help: "The folder to write the pictures to, under new names.", completion: .directory)
  var directory: String?

  @Option(help: "The number of variations, 1 to 4.")
  var count: Int = 1

  @Option(help: "The provider: ondevice, gemini or openai; by default this machine, or what the configuration says.")
  var provider: String?

  @Flag(help: "Keep neither the photo nor the picture in history.")
  var `private` = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (1...4).contains(count) else { throw ValidationError("--count must be from 1 to 4.") }
    guard output == nil || count == 1 else {
      throw ValidationError("-o takes one picture; use --directory for \(count).")
    }
    guard !`private` || output != nil || directory != nil else {
      throw ValidationError("A private picture is not kept: say where it is to go with -o or --directory.")
    }
  }

  func run() async throws {
    let line = ProgressLine()
    let engine: Engine
    do {
      let assembly = try await EngineAssembly(common.settings)
      engine = try await assembly.openedEngine { announcement in
        if case .progress(let progress, _) = announcement { line.show(progress) }
      }
    } catch {
      throw CommandFailure(error)
    }
    let outcome: Result<[String], any Error>
    do {
      outcome = .success(try await generate(with: engine))
    } catch {
      outcome = .failure(error)
    }
    line.finish()
    await engine.leave(milliseconds: 1000)
    switch outcome {
    case .success(let paths): for path in paths { print(path) }
    case .failure(let error): throw CommandFailure(error)
    }
  }

  private func generate(with engine: Engine) async throws -> [String] {
    let task = Task {
      let makers = try await engine.providers(for: request, of: Caller())
      for (position, maker) in makers.enumerated() {
        let sentence = MakerNotice(maker, pictures: count).sentence
        Console.error("atelier: \(position == 0 ? "" : "If that fails: ")\(sentence)\n")
      }
      // Nobody else is asked than those just named.
      var named = request
      named.provider = ProviderChoice(makers.map(\.id))
      return try await engine.generations.generate(named, for: Caller())
    }
    try TerminationSignals.watch { _ in task.cancel() }
    let result = try await task.value
    guard result.state != .cancelled else { throw CommandFailure(sentence: "Cancelled.", status: 130) }
    for warning in result.warnings { Console.error("atelier: \(warning.message)\n") }
    guard let output, let picture = result.images.first else { return result.images.compactMap(\.path) }
    try await OutputFile(path: output).write(try await bytes(of: picture))
    return [output]
  }

  private var request: Generate {
    var request = Generate(recipe: .headshot, image: .path(photo), style: Style(angle: angle, background: background))
    request.output = Generate.Output(count: count, directory: directory, inline: output != nil)
    request.provider = provider.map { ProviderChoice(ProviderID(rawValue: $0)) }
    request.private = `private`
    return request
  }

  private func bytes(of picture: GeneratedImage) async throws -> [UInt8] {
    guard let data = picture.data, let image = InlineImage(base64: data) else { throw AtelierError(.internal) }
    return image.decoded()
  }
}

/// Who makes the pictures, and what that costs.
struct MakerNotice {
  let sentence: String

  init(_ provider: any ImageProvider, pictures count: Int) {
    let profile = provider.profile
    if profile.isLocal {
      sentence = "\(profile.title): nothing leaves this machine."
      return
    }
    let pictures = count == 1 ? "A picture" : "\(count) pictures"
    let price =
      profile.usdPerImage.map { "\(pictures) there cost\(count == 1 ? "s" : "") about $\(Self.dollars($0 * Double(count)))" }
      ?? "The price there is not known here"
    sentence = "\(profile.title): your photo is sent there. \(price)."
  }

  /// Thousandths of a dollar matter for one picture.
  private static func dollars(_ amount: Double) -> String {
    let thousandths = Int((amount * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)"
  }
}

extension Background: ExpressibleByArgument {}

extension Angle: ExpressibleByArgument {
  public init?(argument: String) {
    if let name = Name(rawValue: argument) {
      self = name.angle
    } else if let value = Double(argument), let angle = Angle(value) {
      self = angle
    } else {
      return nil
    }
  }
}

/// Progress for a person on standard error: one changing line on a terminal, otherwise one line per phase.
final class ProgressLine: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let output = StandardError()
  private let last = Mutex("")

  func show(_ progress: GenerationProgress) {
    let percent = progress.fraction.map { " \(Int($0 * 100)) %" } ?? ""
    let step = progress.step.map { " (\($0.index + 1) of \($0.count))" } ?? ""
    let text = isTerminal ? progress.message + step + percent : progress.message + step
    last.withLock { last in
      guard text != last else { return }
      last = text
      if isTerminal {
        Console.error("\r\u{1B}[K\(text)")
      } else {
        output.write(text)
      }
    }
  }

  /// Clears the terminal's line.
  func finish() {
    if isTerminal { Console.error("\r\u{1B}[K") }
  }
}
