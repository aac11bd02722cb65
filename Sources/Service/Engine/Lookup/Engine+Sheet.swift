import AtelierProtocol
import Imaging
import JSON
import Localization
import Providers
import Store

/// Pictures on sheets of paper.
extension Engine {
  /// A sheet with copies of a picture, in the size in print that was asked for, otherwise with 300 pixels in an inch.
  /// - Parameters:
  ///   - width: the picture's sides in pixels.
  ///   - output: what was asked for when the picture was made.
  /// - Throws: `invalid_dimensions` when the copies do not fit on the paper, or the size for passports is not the one that
  ///   the picture was made in; and what the worker throws.
  public func sheet(
    _ sheet: PrintSheet, of bytes: [UInt8], width: Int, height: Int, askedFor output: Generate.Output?
  ) async throws -> EncodedSheet {
    let usual = PrintSize(width: Double(width) / 300 * 25.4, height: Double(height) / 300 * 25.4)
    let layout = try Self.layout(sheet, of: printed(of: output, made: (width, height)) ?? usual)
    let job = SheetJob(layout: layout, format: sheet.format ?? .pdf, hasCuttingLines: sheet.cuttingLines ?? true)
    return try await imaging { try await worker.sheet(bytes, options: job) }
  }

  /// A sheet with copies of a picture that is kept.
  /// - Throws: as ``keptPicture(_:index:of:)``, and as the above.
  func sheet(
    _ sheet: PrintSheet, of id: GenerationID, index: Int, account: AccountID?
  ) async throws -> EncodedSheet {
    let kept = try await keptPicture(id, index: index, of: account)
    let bytes = try await lazyStore.store().read(kept.file)
    let output = try kept.row.request["output"].map {
      try JSONValueDecoder(unknownMembers: .ignore).decode(Generate.Output.self, from: $0)
    }
    return try await self.sheet(
      sheet, of: bytes, width: kept.image.width, height: kept.image.height, askedFor: output)
  }

  /// Writes such a sheet into a folder, under a new name.
  /// - Returns: the path of the file.
  /// - Throws: as the above, `file_access_denied` and `storage_full`.
  public func write(
    _ sheet: PrintSheet, of id: GenerationID, index: Int, to folder: String, for caller: Caller
  ) async throws -> String {
    let made = try await self.sheet(sheet, of: id, index: index, account: try caller.visibleAccount(naming: nil))
    return try await OutputDirectory(path: folder, within: caller.isConfined ? configuration.access.write : nil).place(
      made.bytes, stem: "\(id.rawValue)-\(index + 1)-sheet", fileExtension: made.format.fileExtension,
      temporary: ".\(surroundings.makeIdentifier("sheet_")).partial", keepsEqual: true)
  }

  /// Finds out before a picture is made whether its copies fit on a sheet, as far as the request decides its size.
  /// - Throws: `invalid_dimensions`.
  public func check(_ sheet: PrintSheet, for output: Generate.Output?) throws(AtelierError) {
    if let printed = try printed(of: output) { _ = try Self.layout(sheet, of: printed) }
  }

  private func printed(
    of output: Generate.Output?, made: (width: Int, height: Int)? = nil
  ) throws(AtelierError) -> PrintSize? {
    do throws(PassportTable.Problem) {
      return try configuration.passports.printed(of: output, made: made)
    } catch {
      throw AtelierError(.invalidDimensions, error.sentence)
    }
  }

  private static func layout(_ sheet: PrintSheet, of printed: PrintSize) throws(AtelierError) -> SheetLayout {
    do throws(SheetLayout.Problem) {
      return try SheetLayout(printed, on: sheet.paper.printed, copies: sheet.copies)
    } catch {
      throw error.refusal(of: printed)
    }
  }
}

extension SheetLayout.Problem {
  fileprivate func refusal(of photo: PrintSize) -> AtelierError {
    switch self {
    case .paperTooSmall:
      AtelierError(
        .invalidDimensions,
        "The photo is \(Self.text(photo.width)) × \(Self.text(photo.height)) mm and does not fit on this paper: choose a "
          + "larger one.")
    case .tooManyCopies(let most):
      AtelierError(
        .invalidDimensions, "So many copies do not fit on this paper. The most is \(most).",
        details: ["maximumCopies": .number(JSONNumber(most))])
    }
  }

  private static func text(_ length: Double) -> String {
    let rounded = (length * 10).rounded() / 10
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
