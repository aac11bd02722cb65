import AtelierProtocol

/// Thumbnails are made after the answers have gone out, one at a time: nobody waits for them. What a process has not
/// made when it ends stays without one.
extension SessionManager {
  func makeThumbnail(for id: GenerationID) {
    thumbnailsDue.append(id)
    if thumbnailWork == nil { thumbnailWork = Task(priority: .utility) { await self.makeThumbnails() } }
  }

  private func makeThumbnails() async {
    while !thumbnailsDue.isEmpty {
      let id = thumbnailsDue.removeFirst()
      try? await thumbnails.make(for: id)
    }
    thumbnailWork = nil
  }

  /// Waits until all are made, but no longer than two seconds.
  func finishThumbnails() async {
    guard let work = thumbnailWork else { return }
    let patience = Task { [surroundings] in
      if (try? await surroundings.sleep(.seconds(2))) != nil { self.dropThumbnails() }
    }
    await work.value
    patience.cancel()
  }

  /// Leaves the rest undone.
  func dropThumbnails() {
    thumbnailsDue = []
    thumbnailWork?.cancel()
  }
}
