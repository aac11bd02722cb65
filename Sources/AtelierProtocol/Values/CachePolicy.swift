/// Whether an earlier, identical result may answer a request (REQUIREMENTS 1.8).
public enum CachePolicy: String, Codable, Sendable, CaseIterable {
  case use, bypass
}
