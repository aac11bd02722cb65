import CurlHTTP
import Localization
import Synchronization

/// Converts transfer events into progress: `uploading` with the fraction actually sent, then, once, `processing`.
final class UploadReport: Sendable {
  private let pictures: Int
  private let progress: @Sendable (ImageProgress) -> Void
  private let isSent = Mutex(false)

  /// - Parameter pictures: the number of images in the request.
  init(pictures: Int, progress: @escaping @Sendable (ImageProgress) -> Void) {
    self.pictures = pictures
    self.progress = progress
  }

  func note(_ event: HTTPTransferEvent) {
    // From here on something may have been sent, and the caller must know that beforehand.
    if event == .connected { return progress(ImageProgress(phase: .uploading, message: sentence, fraction: 0)) }
    guard case .sent(let bytes, let total) = event, total > 0 else { return }
    let fraction = min(1, max(0, Double(bytes) / Double(total)))
    let isFirstEnd = isSent.withLock { wasSent in
      defer { wasSent = wasSent || bytes >= total }
      return bytes >= total && !wasSent
    }
    if bytes < total || isFirstEnd {
      progress(ImageProgress(phase: .uploading, message: sentence, fraction: fraction))
    }
    if isFirstEnd { progress(ImageProgress(phase: .processing, message: "Your picture is being made…")) }
  }

  private var sentence: Sentence {
    switch pictures {
    case 0: "Sending your words…"
    case 1: "Sending your photo…"
    default: "Sending your photos…"
    }
  }
}
