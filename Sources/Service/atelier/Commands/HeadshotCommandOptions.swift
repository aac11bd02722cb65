import ArgumentParser
import AtelierProtocol
import Providers

/// What only a headshot made on this machine takes.
struct HeadshotCommandOptions: ParsableArguments {
  @Option(
    help: "The format of a headshot made on this machine: jpeg, png or webp; by default that of the file after -o.")
  var format: PictureFormat?

  @Option(help: "How large and exact such a jpeg or webp is: 1, the smallest file, to 100. (default: 92)")
  var quality: Int?

  @Option(
    help: "The most bytes that such a file may have, such as 240000 or 240kB; its quality is lowered as far as needed.")
  var maxBytes: ByteLimit?

  @Option(
    help: "The fewest bytes that such a jpeg may have, such as 20kB: it is filled up with what no picture shows.")
  var minBytes: ByteLimit?

  @Option(help: "passport, or none for the whole frame of the photo with another background; by default a headshot.")
  var crop: PictureCrop?

  @Flag(
    help: """
      Make a photo for a passport, 35 × 45 mm after ICAO 9303, on this machine; a warning names the rules it breaks. A \
      country or a size may follow: --passport us, --passport 36x47.
      """)
  var passport = false

  @Option(
    help: """
      The same for a country (us, nl, in-visa; `atelier passports` lists them) or in any size: 36x47 in millimetres, \
      3.6x4.7cm, 2x2in.
      """,
    completion: .list(PassportTable.builtIn.presets.map(\.id)))
  var passportSize: PassportSize?

  @Option(help: "The same in exactly so many pixels, such as 600x750.")
  var pixels: PixelSides?

  @Option(
    name: .customLong("head"),
    help: "The height of the head in it, from chin to crown: 26-30 in millimetres, 1-1.375in, or 70-80% of the height.")
  var headHeight: HeadHeight?

  @Flag(
    help: "Make the matte as well, a PNG that says how opaque the person is; it is named like the picture, with -matte.")
  var matte = false

  func validate() throws {
    if crop == .wholeFrame, isPassport {
      throw ValidationError("A photo for a passport has a crop of its own: leave out --crop, or --passport.")
    }
  }

  private var isPassport: Bool { passport || passportSize != nil || pixels != nil || headHeight != nil }

  func apply(to request: inout Generate) {
    let limits = maxBytes != nil || minBytes != nil
    guard format != nil || quality != nil || limits || crop != nil || isPassport || matte else { return }
    var output = request.output ?? Generate.Output()
    (output.format, output.quality) = (format, quality)
    (output.maxBytes, output.minBytes) = (maxBytes?.bytes, minBytes?.bytes)
    (output.crop, output.passportSize) = (isPassport ? .passport : crop, passportSize)
    (output.size, output.headHeight) = (pixels?.text, headHeight)
    output.matte = matte ? true : nil
    request.output = output
  }
}

/// A width and a height in pixels, as a person writes it: `600x750`.
struct PixelSides: ExpressibleByArgument, Equatable, Sendable {
  let text: String

  init?(argument: String) {
    let text = argument.lowercased().replacing("×", with: "x")
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ $0.map { (1...99_999).contains($0) } == true }) else { return nil }
    self.text = text
  }
}

extension PassportSize: ExpressibleByArgument {
  public init?(argument: String) { self.init(text: argument) }
}

extension HeadHeight: ExpressibleByArgument {
  public init?(argument: String) { self.init(text: argument) }
}

extension PaperSize: ExpressibleByArgument {
  public init?(argument: String) { self.init(text: argument) }
}

extension SheetFormat: ExpressibleByArgument {}
