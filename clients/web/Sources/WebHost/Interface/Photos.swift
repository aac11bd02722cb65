import AtelierClient
import Encodings
import HTTPTypes
import Hummingbird
import JSON

/// Photos that people bring along: uploaded, prepared by the service, and looked at before anything is made of them.
enum Photos {
  /// The most bytes of a photo, as `image/prepare` takes them.
  static let maximumBytes = 40_000_000
  /// The longest side of a prepared photo: what a headshot of a photo of many megapixels needs.
  private static let longestSide = 4096
  /// The longest side of the picture that the page shows.
  private static let previewSide = 1280

  static func prepare(_ call: Call) async throws -> Response {
    let type = call.request.headers[.contentType]?.lowercased() ?? ""
    guard type.hasPrefix("image/") || type.hasPrefix("application/octet-stream") else { throw WebError.notAPicture }
    call.host.counters.uploads.add(1)
    defer { call.host.counters.uploads.add(-1) }
    let upload = try await Upload.receive(call.request, maximumBytes: maximumBytes, deadline: call.host.options.uploadLimit)
    // Few are in memory at a time; the others wait in their files.
    let prepared = try await call.host.uploadsInMemory.run {
      let bytes = try await upload.bytes()
      guard let image = InlineImage(base64: Base64.encoded(bytes)) else { throw WebError.notAPicture }
      return try await call.studio.send(ImagePrepare(image: .data(image), longestSide: longestSide, account: call.account))
    }
    return .json(try call.json(prepared), .created)
  }

  static func preview(_ call: Call) async throws -> Response {
    let photo = ImageSource.prepared(PreparedID(rawValue: try call.parameter("photo")))
    let request = ImagePrepare(image: photo, longestSide: previewSide, inline: true, account: call.account)
    let prepared = try await call.studio.send(request)
    guard let bytes = prepared.data.flatMap({ Base64.decoded($0) }) else { throw WebError.serviceLost }
    return .picture(bytes, prepared.mimeType)
  }
}
