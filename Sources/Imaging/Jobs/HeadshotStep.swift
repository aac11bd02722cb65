/// What the worker is doing for a headshot, in order.
public enum HeadshotStep: String, Codable, Sendable, CaseIterable {
  case decoding, locating, cropping, segmenting, matting, lighting, composing, finishing, encoding
}
