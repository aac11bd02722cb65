/// A picture that was made, and its file.
public struct GeneratedImage: Codable, Sendable, Equatable {
  /// The position among the requested pictures, from 0.
  public var index: Int
  /// In a multi-angle generation: `front`, `left`, `right` or `back`.
  public var view: String?
  /// The path of the file: the copy in the output directory if one was named, otherwise the service's own file. Absent
  /// if a private request named no output directory, and on a confined connection if the file is outside its folders.
  public var path: String?
  /// The path of the service's own file, if `path` is the copy in the output directory.
  public var storedPath: String?
  /// The media type, such as `image/jpeg`.
  public var mimeType: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The size of the file, in bytes.
  public var bytes: Int
  /// The SHA-256 of the file, in hexadecimal.
  public var sha256: String
  /// The file in base64, if `output.inline` is true.
  public var data: String?
  /// The matte, if `output.matte` was true.
  public var matte: PictureMatte?

  public init(
    index: Int, view: String? = nil, path: String? = nil, storedPath: String? = nil, mimeType: String, width: Int,
    height: Int, bytes: Int,
    sha256: String, data: String? = nil, matte: PictureMatte? = nil
  ) {
    self.index = index
    self.view = view
    self.path = path
    self.storedPath = storedPath
    self.mimeType = mimeType
    self.width = width
    self.height = height
    self.bytes = bytes
    self.sha256 = sha256
    self.data = data
    self.matte = matte
  }
}

/// The matte of a picture, and its file: gray levels of 8 bits, as large as the picture. 255 is the person, 0 is the
/// background, and what is between is the part of the person in that pixel.
public struct PictureMatte: Codable, Sendable, Equatable {
  /// The path of the file, as that of the picture.
  public var path: String?
  /// The path of the service's own file, if `path` is the copy in the output directory.
  public var storedPath: String?
  /// The media type: `image/png`.
  public var mimeType: String
  /// The size of the file, in bytes.
  public var bytes: Int
  /// The SHA-256 of the file, in hexadecimal.
  public var sha256: String
  /// The file in base64, if `output.inline` is true.
  public var data: String?

  public init(
    path: String? = nil, storedPath: String? = nil, mimeType: String, bytes: Int, sha256: String, data: String? = nil
  ) {
    self.path = path
    self.storedPath = storedPath
    self.mimeType = mimeType
    self.bytes = bytes
    self.sha256 = sha256
    self.data = data
  }
}

/// A picture that could not be made, although others could.
public struct ImageFailure: Codable, Sendable, Equatable {
  /// The position among the requested pictures, from 0.
  public var index: Int
  /// In a multi-angle generation: `front`, `left`, `right` or `back`.
  public var view: String?
  /// Why the picture could not be made.
  public var error: ErrorBody

  public init(index: Int, view: String? = nil, error: ErrorBody) {
    self.index = index
    self.view = view
    self.error = error
  }
}

/// Something that a person should know about a result.
public struct Warning: Codable, Sendable, Equatable {
  /// The stable name of the warning, such as `low_resolution`, `several_faces` or `tight_crop`; more may be added.
  public var kind: String
  /// What the person should know and can do, in one or two sentences.
  public var message: String

  public init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}

/// How long each phase took, in milliseconds.
public struct Timings: Codable, Sendable, Equatable {
  /// Waiting for a free slot or for the provider.
  public var queuedMs: Int64
  /// Reading and preparing the photo.
  public var preparingMs: Int64
  /// Sending to the provider.
  public var uploadingMs: Int64
  /// Making the pictures.
  public var processingMs: Int64
  /// Writing files and records.
  public var savingMs: Int64
  /// From acceptance to the end.
  public var totalMs: Int64

  public init(
    queuedMs: Int64 = 0, preparingMs: Int64 = 0, uploadingMs: Int64 = 0, processingMs: Int64 = 0, savingMs: Int64 = 0,
    totalMs: Int64 = 0
  ) {
    self.queuedMs = queuedMs
    self.preparingMs = preparingMs
    self.uploadingMs = uploadingMs
    self.processingMs = processingMs
    self.savingMs = savingMs
    self.totalMs = totalMs
  }
}

/// What the provider counted and charged.
public struct Usage: Codable, Sendable, Equatable {
  /// Tokens sent; 0 if the provider counts none.
  public var inputTokens: Int
  /// Tokens received; 0 if the provider counts none.
  public var outputTokens: Int
  /// What the provider charges, in US dollars; absent if unknown.
  public var costUsd: Double?

  public init(inputTokens: Int = 0, outputTokens: Int = 0, costUsd: Double? = nil) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    // To a millionth: sums of fractions otherwise end in nines.
    self.costUsd = costUsd.map { ($0 * 1_000_000).rounded() / 1_000_000 }
  }

  /// The sum of both; the cost is known if either is.
  public static func + (left: Usage, right: Usage) -> Usage {
    let costs = [left.costUsd, right.costUsd].compactMap { $0 }
    return Usage(
      inputTokens: left.inputTokens + right.inputTokens, outputTokens: left.outputTokens + right.outputTokens,
      costUsd: costs.isEmpty ? nil : costs.reduce(0, +))
  }
}
