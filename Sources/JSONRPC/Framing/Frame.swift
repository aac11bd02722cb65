/// One piece of a byte stream.
enum Frame: Equatable {
  /// The bytes of one message, not yet known to be JSON.
  case message(ArraySlice<UInt8>)

  /// A message of `bytes` bytes, more than allowed, was skipped; what its envelope told is kept.
  case oversized(EnvelopeSkimmer.Envelope, bytes: Int)

  /// Something between messages is not what the framing asks for; the stream was taken up again behind it.
  case malformed(String)
}
