import AtelierProtocol

/// What became of one generation of a command.
struct PictureOutcome: Sendable {
  let job: PictureJob
  /// As it is sent; nil when it was refused or never began.
  var generation: Generation?
  /// Why it was not made, or not written.
  var error: AtelierError?
  /// Where the pictures are, for a person.
  var paths: [String] = []
  /// What the person should know.
  var notices: [String] = []

  init(job: PictureJob, error: AtelierError? = nil) {
    self.job = job
    self.error = error
  }

  /// Whether all pictures were made and written.
  var isMade: Bool { error == nil && generation?.state == .succeeded }
  /// Whether it was given up.
  var isCancelled: Bool { error == nil && (generation == nil || generation?.state == .cancelled) }
}
