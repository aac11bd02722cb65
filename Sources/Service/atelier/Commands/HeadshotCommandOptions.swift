import ArgumentParser
import AtelierProtocol

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

  @Option(help: "passport, or none for the whole frame of the photo with another background; by default a headshot.")
  var crop: PictureCrop?

  @Flag(
    help: "Make a photo for a passport, 35 × 45 mm after ICAO 9303, on this machine; a warning names the rules it breaks.")
  var passport = false

  @Option(
    help: """
      The same in another size, in millimetres: 51x51 (2 × 2 inches: United States, India), 50x70 (Canada) or 33x48 (China).
      """)
  var passportSize: PassportSize?

  @Flag(
    help: "Make the matte as well, a PNG that says how opaque the person is; it is named like the picture, with -matte.")
  var matte = false

  func validate() throws {
    if crop == .wholeFrame, passport || passportSize != nil {
      throw ValidationError("A photo for a passport has a crop of its own: leave out --crop, or --passport.")
    }
  }

  func apply(to request: inout Generate) {
    let isPassport = passport || passportSize != nil
    guard format != nil || quality != nil || maxBytes != nil || crop != nil || isPassport || matte else { return }
    var output = request.output ?? Generate.Output()
    (output.format, output.quality, output.maxBytes) = (format, quality, maxBytes?.bytes)
    (output.crop, output.passportSize) = (isPassport ? .passport : crop, passportSize)
    output.matte = matte ? true : nil
    request.output = output
  }
}
