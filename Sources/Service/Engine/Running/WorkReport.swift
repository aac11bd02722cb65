import Providers

/// A progress report of the work on a generation.
enum WorkReport: Sendable, Equatable {
  /// About the generation as a whole.
  case whole(ImageProgress)
  /// About one of its pictures.
  case picture(Int, ImageProgress)
  /// A picture is made, or has finally failed.
  case ended(Int)
}
