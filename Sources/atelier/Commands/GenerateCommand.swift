import ArgumentParser
import AtelierProtocol

/// `atelier generate PHOTO…`: pictures of any recipe for a person at a terminal.
struct GenerateCommand: PictureCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make a headshot from a photo, or another picture.",
    discussion: """
      Progress goes to standard error, the paths of the pictures to standard output. The headshot is made on this
      machine. Only a provider that you or the configuration names, or that alone can make the picture, receives the
      photo; who that is and what it costs is printed before anything is sent.

        atelier generate photo.jpg
        atelier generate photo.heic --background casual -o headshot.jpg
        atelier generate *.jpg --directory headshots
        atelier generate --recipe edit photo.jpg --prompt "make the jacket red" --provider gemini -o red.png
        curl -s https://example.org/photo.jpg | atelier generate - -o - | lp

      Pictures are written as the provider made them. If the name after -o asks for another format, it is refused before
      anything is made where the format is known, as on this machine, which makes JPEG. Otherwise the picture gets its
      true extension, and a sentence says so.

      With several photos, the command goes on after a failure. It ends with 0 if all pictures were made, and with 1 if
      some were not.
      """)

  @OptionGroup var source: SourceOptions

  @Option(help: "The kind of picture: headshot, hairstyle, edit or create.")
  var recipe: PictureRecipe = .headshot

  @Option(name: [.short, .long], help: "What to make, in words of any language; not for a headshot.")
  var prompt: String?

  @Option(help: "The background of a headshot: professional or casual. (default: professional)")
  var background: Background?

  @Option(
    help: "The direction that a headshot faces: left, front, right, or a number from -1 to 1; by default the photo's.")
  var angle: Angle?

  @OptionGroup var hair: HairstyleOptions
  @OptionGroup var pictures: PictureOptions
  @OptionGroup var common: CommonOptions

  func requests() throws -> [(name: String?, request: Generate)] {
    var request = Generate(recipe: recipe.recipe, prompt: prompt)
    hair.apply(to: &request)
    if recipe == .headshot || background != nil || angle != nil {
      request.style = Style(angle: angle, background: background ?? .professional)
    }
    if recipe == .create, source.isEmpty { return [(nil, request)] }
    return try source.requests(like: request)
  }
}

/// What only a hairstyle takes.
struct HairstyleOptions: ParsableArguments {
  @Option(help: "A template of the hairstyle library, as `atelier templates` lists them.")
  var template: String?

  @Option(help: "single, or multiAngle for four pictures: front, left, right and back.")
  var mode: Generate.OutputMode?

  func apply(to request: inout Generate) {
    request.templateId = template
    if let mode { request.output = Generate.Output(mode: mode) }
  }
}

/// The recipes that make pictures.
enum PictureRecipe: String, ExpressibleByArgument, CaseIterable, Sendable {
  case headshot, hairstyle, edit, create

  var recipe: Recipe {
    switch self {
    case .headshot: .headshot
    case .hairstyle: .hairstyle
    case .edit: .edit
    case .create: .create
    }
  }
}

extension Background: ExpressibleByArgument {}
extension Generate.OutputMode: ExpressibleByArgument {}

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
