/// A field of a request that a server may not know, and without which the request still makes sense.
enum OpenAIField: String, Sendable, CaseIterable {
  case stream
  case partialImages = "partial_images"
  case responseFormat = "response_format"
  case inputFidelity = "input_fidelity"
  case seed
}

/// What a server has turned out not to take, so that it is not sent again.
actor OpenAIHabits {
  private(set) var unwanted: Set<OpenAIField> = []

  func add(_ field: OpenAIField) {
    unwanted.insert(field)
    // Partial pictures come by a stream only.
    if field == .stream { unwanted.insert(.partialImages) }
  }
}
