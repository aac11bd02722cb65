/// The pictures of a request for an edit.
struct OpenAIImages {
  private(set) var facts: [RequestFacts.Image] = []
  private var firstSize: PictureSize?
  private var mask: (size: PictureSize?, bytes: Int)?
  private var singles = 0

  /// - Throws: ``OpenAIError`` for a picture the API does not take.
  mutating func add(_ field: MultipartForm.Field) throws(OpenAIError) {
    let isMask = field.name == "mask"
    let mimeType = field.contentType ?? "application/octet-stream"
    facts.append(
      RequestFacts.Image(
        mimeType: mimeType, fingerprint: Checksum.hexadecimal(Checksum.fnv1a(field.bytes)), bytes: field.bytes.count,
        role: isMask ? "mask" : "image"))
    guard field.fileName != nil else {
      throw .invalid(
        "Invalid type for '\(field.name)': expected a file, but got a string instead.", param: field.name,
        code: "invalid_type")
    }
    guard ["image/png", "image/jpeg", "image/webp"].contains(mimeType) else {
      throw .invalid(
        "Invalid file '\(field.name)': unsupported mimetype ('\(mimeType)'). Supported file formats are 'image/jpeg', "
          + "'image/png', and 'image/webp'.", param: field.name, code: "unsupported_file_mimetype")
    }
    guard let format = ImageFormat(of: field.bytes), format.rawValue == mimeType, format.isComplete(field.bytes) else {
      throw .invalid(
        "Invalid image file or mode for image, please check your image file.", param: field.name,
        code: "invalid_image_file")
    }
    guard field.bytes.count < 50 * 1_048_576 else {
      throw .invalid(
        "Invalid file '\(field.name)': too large. Maximum size is 50MB.", param: field.name, code: "file_too_large")
    }
    let size = format.size(of: field.bytes)
    if isMask {
      guard format == .png else {
        throw .invalid("Invalid mask: it must be a PNG.", param: "mask", code: "invalid_image_format")
      }
      mask = (size, field.bytes.count)
    } else {
      if field.name == "image" { singles += 1 }
      firstSize = firstSize ?? size
    }
  }

  /// Checks them together.
  func check() throws(OpenAIError) {
    let count = facts.count { $0.role == "image" }
    guard count > 0 else {
      throw .invalid("Missing required parameter: 'image'.", param: "image", code: "missing_required_parameter")
    }
    guard singles <= 1 else {
      throw .invalid(
        "Duplicate parameter: 'image'. You provided multiple values for this parameter, whereas only one is allowed. "
          + "If you are trying to provide a list of values, use the array syntax instead e.g. 'image[]=<value>'.",
        param: "image", code: "duplicate_parameter")
    }
    guard count <= 16 else {
      throw .invalid(
        "Invalid 'image': array too long. Expected an array with maximum length 16, but got one with length \(count).",
        param: "image", code: "array_above_max_length")
    }
    guard let mask else { return }
    guard mask.bytes < 4 * 1_048_576 else {
      throw .invalid("Invalid mask: file too large. Maximum size is 4MB.", param: "mask", code: "file_too_large")
    }
    guard mask.size == firstSize else {
      throw .invalid("Invalid mask: its size must be that of the image.", param: "mask", code: "invalid_image_size")
    }
  }
}
