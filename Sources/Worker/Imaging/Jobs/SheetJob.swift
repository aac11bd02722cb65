import AtelierProtocol

/// Puts copies of a picture on a sheet of paper.
public struct SheetJob: ImagingJob, Equatable {
  public static let method = "image/sheet"

  public var layout: SheetLayout
  public var format: SheetFormat
  public var hasCuttingLines: Bool

  public init(layout: SheetLayout, format: SheetFormat, hasCuttingLines: Bool) {
    self.layout = layout
    self.format = format
    self.hasCuttingLines = hasCuttingLines
  }

  public struct Report: Codable, Sendable, Equatable {
    /// The sides of the sheet in pixels, 300 in an inch.
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }
}

/// A sheet for printing as a file.
public struct EncodedSheet: Sendable, Equatable {
  public var bytes: [UInt8]
  public var format: SheetFormat
  /// In pixels, 300 in an inch.
  public var width: Int
  public var height: Int
}

extension SheetFormat {
  public var mimeType: String { self == .pdf ? "application/pdf" : "image/jpeg" }
  public var fileExtension: String { self == .pdf ? "pdf" : "jpg" }
}
