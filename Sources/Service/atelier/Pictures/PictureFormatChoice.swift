import AtelierProtocol
import Imaging
import Localization

/// The format that the name of a file asks for.
extension PictureDestination {
  /// The format to ask a provider for that makes any of `formats`: the one that the file's name asks for.
  /// - Returns: nil to leave the choice as it is.
  /// - Throws: the refusal of a name that asks for another format than the request, or than the provider makes: pictures
  ///   are written as they were made.
  func format(of formats: [PictureFormat], for request: Generate) throws(AtelierError) -> PictureFormat? {
    guard case .file(let file) = self, let asked = OutputName(file.path).format else { return nil }
    if let chosen = request.output?.format {
      guard ImageFormat(chosen) == asked else { throw Self.refusal(file.path, asked, makes: [chosen]) }
      return nil
    }
    guard let format = formats.first(where: { ImageFormat($0) == asked }) else {
      throw Self.refusal(file.path, asked, makes: formats)
    }
    return format == .standard(for: request.style?.background) ? nil : format
  }

  /// What the name of the file alone says about the picture.
  /// - Throws: the refusal of a name that is empty, asks for what no provider makes, or for another format than the request.
  func checkName(for request: Generate) throws(AtelierError) {
    guard case .file(let file) = self else { return }
    guard !file.path.isEmpty else { throw AtelierError(.wrongRecipeInput, "The name of the file to write is empty.") }
    let name = OutputName(file.path)
    if let other = name.unmadeFormat {
      throw AtelierError(
        .unsupportedByProvider,
        "No provider makes pictures in the format “\(other)”. Name a file that ends in .jpg, .png or .webp.")
    }
    if let chosen = request.output?.format, let asked = name.format, ImageFormat(chosen) != asked {
      throw Self.refusal(file.path, asked, makes: [chosen])
    }
    var asking = request
    if request.recipe == .headshot, request.output?.format == nil {
      try asking.choose((name.format?.rawValue).flatMap(PictureFormat.init(rawValue:)))
    }
  }

  private static func refusal(_ path: String, _ asked: ImageFormat, makes formats: [PictureFormat]) -> AtelierError {
    let made = formats.map(ImageFormat.init)
    let names = made.map(\.name).joined(separator: ", ")
    let endings = made.map(\.fileExtension).joined(separator: ", .")
    return AtelierError(
      .unsupportedByProvider,
      "\(path) asks for \(asked.name), but the picture is to be \(names), and it is written as it is made. "
        + "Name a file that ends in .\(endings).")
  }
}

extension Generate {
  /// Asks for a format unless it is nil.
  /// - Throws: the refusal of a format that does not go with the rest.
  mutating func choose(_ format: PictureFormat?) throws(AtelierError) {
    guard let format else { return }
    var output = output ?? Output()
    output.format = format
    self.output = output
    try validate()
  }
}

extension ImageFormat {
  /// The name that people know.
  var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
