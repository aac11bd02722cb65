import AtelierClient
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// Everything that is kept for a person, as one ZIP file: the entries of history, a line each, and the pictures.
enum HistoryArchive {
  private static let pageSize = 100
  /// The entries are written in files of about so many bytes, so that a long history needs no more memory than a short one.
  private static let entriesBytes = 8 << 20

  static func answer(_ call: Call) async throws -> Response {
    let studio = try await call.studio
    // A service that cannot answer is told in the status, not by a broken file.
    let first = try await studio.send(History(account: call.account, limit: pageSize))
    let date = call.host.surroundings.now().date
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/zip", .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"atelier-\(date).zip\"",
      ],
      body: ResponseBody { writer in
        var archive = ZipArchive()
        var (lines, files) = ([UInt8](), 0)
        var page: History.Result? = first
        while let entries = page?.entries {
          for entry in entries {
            lines += try call.json(entry).serialized() + [10]
            for image in entry.images where entry.private != true {
              guard let picture = try await picture(image, of: entry, studio, call) else { continue }
              let name = "pictures/\(entry.createdAt.date)-\(entry.generationId.rawValue)-\(image.index).\(picture.suffix)"
              try await writer.write(ByteBuffer(bytes: archive.file(name, picture.bytes)))
            }
          }
          let next = page?.nextCursor
          if lines.count >= entriesBytes || next == nil {
            files += 1
            try await writer.write(ByteBuffer(bytes: archive.file("history-\(files).jsonl", lines)))
            lines = []
          }
          guard let next else { break }
          page = try await studio.send(History(account: call.account, limit: pageSize, cursor: next))
        }
        try await writer.write(ByteBuffer(bytes: archive.directory()))
        try await writer.finish(nil)
      })
  }

  /// Nil for a picture that has been deleted meanwhile.
  private static func picture(
    _ image: GeneratedImage, of entry: Generation, _ studio: Studio, _ call: Call
  ) async throws -> (bytes: [UInt8], suffix: String)? {
    do {
      var request = ImageRead(generationId: entry.generationId, index: image.index, account: call.account)
      if Pictures.marksPreviews(for: call) { (request.maxSide, request.watermark) = (Pictures.previewSide, true) }
      let (bytes, type) = try await studio.picture(request)
      return (bytes, type == "image/jpeg" ? "jpg" : String(type.drop { $0 != "/" }.dropFirst()))
    } catch let error as AtelierError where error.kind == .notFound {
      return nil
    }
  }
}
