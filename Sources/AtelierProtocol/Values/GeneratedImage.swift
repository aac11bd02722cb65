/// A picture that was made: a file of the service's, and what is in it.
public struct GeneratedImage: Codable, Sendable, Equatable {
  /// Position among the pictures asked for, from 0.
  public var index: Int
  /// `front`, `left`, `right` or `back` of a multi-angle generation.
  public var view: String?
  /// The file; in the output directory where one was named. Absent when none was kept, because the request was private.
  public var path: String?
  /// The service's own file, where `path` is the copy in the host's output directory.
  public var storedPath: String?
  /// The media type, such as `image/jpeg`.
  public var mimeType: String
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The size of the file.
  public var bytes: Int
  /// The SHA-256 of the file, in hexadecimal.
  public var sha256: String
  /// The file in base64, where `output.inline` asked for it.
  public var data: String?

  public init(
    index: Int, view: String? = nil, path: String? = nil, storedPath: String? = nil, mimeType: String, width: Int, height: Int, bytes: Int,
    sha256: String, data: String? = nil
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
  }
}

/// A picture that could not be made, while others could.
public struct ImageFailure: Codable, Sendable, Equatable {
  /// Position among the pictures asked for, from 0.
  public var index: Int
  /// `front`, `left`, `right` or `back` of a multi-angle generation.
  public var view: String?
  /// Why.
  public var error: ErrorBody

  public init(index: Int, view: String? = nil, error: ErrorBody) {
    self.index = index
    self.view = view
    self.error = error
  }
}

/// Something a person should know about a result that is there nevertheless.
public struct Warning: Codable, Sendable, Equatable {
  /// The stable name, such as `low_resolution`, `several_faces` or `tight_crop`; more may come.
  public var kind: String
  /// One sentence a person can act on.
  public var message: String

  public init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}

/// How long each phase took, in milliseconds.
public struct Timings: Codable, Sendable, Equatable {
  /// Waiting for a free slot.
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

/// What a provider counted.
public struct Usage: Codable, Sendable, Equatable {
  /// Tokens sent; 0 where the provider counts none.
  public var inputTokens: Int
  /// Tokens received; 0 where the provider counts none.
  public var outputTokens: Int
  /// What the provider charges for it in US dollars, where that is known.
  public var costUsd: Double?

  public init(inputTokens: Int = 0, outputTokens: Int = 0, costUsd: Double? = nil) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    // To a millionth: sums of fractions otherwise end in nines.
    self.costUsd = costUsd.map { ($0 * 1_000_000).rounded() / 1_000_000 }
  }

  /// What both used together; the cost is known when either is.
  public static func + (left: Usage, right: Usage) -> Usage {
    let costs = [left.costUsd, right.costUsd].compactMap { $0 }
    return Usage(
      inputTokens: left.inputTokens + right.inputTokens, outputTokens: left.outputTokens + right.outputTokens,
      costUsd: costs.isEmpty ? nil : costs.reduce(0, +))
  }
}
