/// What a generation is doing. The phases follow in this order; only a generation that waits for its provider again
/// returns to `queued`.
public enum Phase: String, Codable, Sendable, CaseIterable {
  /// Waiting for a free slot or for its provider.
  case queued
  /// Reading and preparing the photo.
  case preparing
  /// Sending to the provider.
  case uploading
  /// Making the pictures.
  case processing
  /// Writing files and records.
  case saving
}
