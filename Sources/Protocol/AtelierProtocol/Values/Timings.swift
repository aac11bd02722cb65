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
