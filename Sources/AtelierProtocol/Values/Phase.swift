/// What a generation is doing (REQUIREMENTS 4.1). A phase never goes back.
public enum Phase: String, Codable, Sendable, CaseIterable {
  case queued, preparing, uploading, processing, saving
}
