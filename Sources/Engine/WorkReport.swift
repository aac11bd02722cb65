import Providers

/// What the work on a generation tells while it goes on.
enum WorkReport: Sendable, Equatable {
  /// About the generation as a whole.
  case whole(ImageProgress)
  /// About one of its pictures.
  case picture(Int, ImageProgress)
  /// A picture is made, or has failed for good.
  case ended(Int)
}
