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
      photo; who that is and what it costs is printed before anything is sent, and asked about at a terminal.

        atelier generate photo.jpg                           (writes photo-headshot.jpg beside it)
        atelier generate photo.heic --background casual -o headshot.jpg
        atelier generate photo.jpg --background transparent -o headshot.png
        atelier generate photo.jpg --background "#1e90ff" --format webp --quality 80
        atelier generate photo.jpg --aspect-ratio 4:5 --size 2048
        atelier generate photo.jpg --passport -o passport.jpg
        atelier generate photo.jpg --passport us --max-bytes 240000 -o visa.jpg
        atelier generate photo.jpg --passport nl --sheet 10x15 --copies 8 -o sheet.pdf
        atelier generate photo.jpg --passport 36x47 --pixels 500x653 --head 32-36 -o passport.jpg
        atelier generate photo.jpg --crop none --background transparent -o cut-out.png
        atelier generate *.jpg --directory headshots
        atelier generate photos --directory headshots --skip-existing
        atelier generate --recipe edit photo.jpg --prompt "make the jacket red" --provider gemini -o red.png
        curl -s https://example.org/photo.jpg | atelier generate - --passport --sheet 10x15 -o - | lp

      A headshot made on this machine gets the format that the name after -o asks for. A provider elsewhere chooses its
      own, and pictures are written as they were made: if the name asks for another format, the picture gets its true
      extension, and a sentence says so.

      With several photos or a folder, the command goes on after a failure. It ends with 0 if all pictures were made, and
      with 1 if some were not.
      """)

  @OptionGroup var source: SourceOptions

  @Option(help: "The kind of picture: headshot, hairstyle, edit or create.")
  var recipe: PictureRecipe = .headshot

  @Option(name: [.short, .long], help: "What to make, in words of any language; not for a headshot.")
  var prompt: String?

  @Option(
    help: """
      The background of a headshot: auto, professional, casual, white, transparent, keep for the photo's own, or a colour \
      such as "#1e90ff"; auto is professional, or casual where the person cannot be cut out well. (default: auto, for a \
      passport white)
      """)
  var background: Background?

  @Option(
    help: "The direction that a headshot faces: left, front, right, or a number from -1 to 1; by default the photo's.")
  var angle: Angle?

  @OptionGroup var headshot: HeadshotCommandOptions
  @OptionGroup var sheets: SheetOptions
  @OptionGroup var hair: HairstyleOptions
  @OptionGroup var pictures: PictureOptions
  @OptionGroup var common: CommonOptions

  var folders: FolderSettings { source.folders.settings }
  var sheet: PrintSheet? { get throws { try sheets.printSheet(in: pictures.output) } }

  func requests() throws -> [(name: String?, request: Generate)] {
    var request = Generate(recipe: recipe.recipe, prompt: prompt)
    hair.apply(to: &request)
    if recipe == .headshot || background != nil || angle != nil {
      request.style = Style(angle: angle, background: background)
    }
    headshot.apply(to: &request)
    if recipe == .create, source.isEmpty { return [(nil, request)] }
    return try source.requests(like: request)
  }
}

extension PictureCrop: ExpressibleByArgument {}

/// What only a hairstyle takes.
struct HairstyleOptions: ParsableArguments {
  @Option(help: "A template of the hairstyle library, as `atelier templates` lists them.", completion: .templates)
  var template: String?

  @Option(help: "single, or multiAngle for four pictures: front, left, right and back.")
  var mode: Generate.OutputMode?

  func apply(to request: inout Generate) {
    request.templateId = template
    guard let mode else { return }
    var output = request.output ?? Generate.Output()
    output.mode = mode
    request.output = output
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

extension Background: ExpressibleByArgument {
  public init?(argument: String) { self.init(text: argument) }
}

extension PictureFormat: ExpressibleByArgument {}
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
