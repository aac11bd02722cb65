import AtelierProtocol
import POSIX

/// The photos of a command, those of its folders included: a value that is asked again when new ones may have come.
struct PhotoSupply: Sendable {
  private var named: [PictureJob]
  private var folders: [(folder: PhotoFolder, like: PictureJob)]
  private let destination: PictureDestination
  private let skipsExisting: Bool
  /// Whether the folders are watched. A photo counts there once it has not changed since the look before.
  let isWatching: Bool

  /// What the folders held at the last look, by path.
  private var seen: [String: FileStatus] = [:]
  private var taken: Set<String> = []
  private var hasNamed = false
  private var nextPosition = 0
  /// How many photos were left out because their pictures are there.
  private(set) var skipped = 0
  /// The files in the folders that are no pictures.
  private(set) var others: [String] = []
  private(set) var unreadableNames = 0
  /// The folders in the folders that are not gone through.
  private(set) var subfolders: [String] = []

  /// Whether there are photos that are not named one by one.
  var hasFolders: Bool { !folders.isEmpty }
  /// The path of the first folder that was named.
  var firstFolder: String? { folders.first?.folder.path }

  /// Whether mattes are made as well.
  var wantsMatte: Bool { named.contains { $0.request.output?.matte == true } }

  /// - Parameter jobs: one for each photo or folder that was named.
  /// - Throws: `CommandFailure` for a folder that is also the one for the pictures.
  init(
    _ jobs: [PictureJob], options: FolderSettings, into destination: PictureDestination
  ) throws {
    self.destination = destination
    (skipsExisting, isWatching) = (options.skipsExisting, options.isWatching)
    var named: [PictureJob] = []
    var folders: [(PhotoFolder, PictureJob)] = []
    let excluded: FileIdentity? =
      if case .folder(let path) = destination { (try? FileStatus(path: path, followingLinks: true))?.identity } else { nil }
    for job in jobs {
      guard let path = job.photoPath, (try? FileStatus(path: path, followingLinks: true))?.isDirectory == true else {
        named.append(job)
        continue
      }
      let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      let folder = PhotoFolder(path: trimmed, isRecursive: options.isRecursive, excluded: excluded)
      guard !folder.isExcluded else {
        throw CommandFailure(
          sentence: "\(path) has the photos: name another folder for the pictures with --directory.", status: 2)
      }
      folders.append((folder, job))
    }
    (self.named, self.folders) = (named, folders)
  }

  /// The same supply with the picture of standard input where it is named.
  func reading(_ input: InlineImage?) -> PhotoSupply {
    var supply = self
    supply.named = named.map { $0.reading(input) }
    supply.folders = folders.map { ($0.folder, $0.like.reading(input)) }
    return supply
  }

  /// The photos that have come since the last call; the first time, all that are there.
  /// - Throws: `CommandFailure` when a folder cannot be listed.
  mutating func next() throws -> [PictureJob] {
    var jobs = hasNamed ? [] : named
    var all = named
    hasNamed = true
    var present: [String: FileStatus] = [:]
    (others, unreadableNames, subfolders) = ([], 0, [])
    for (folder, like) in folders {
      let contents: PhotoFolder.Contents
      do {
        contents = try folder.contents()
      } catch {
        throw CommandFailure(sentence: "The folder \(folder.path) cannot be read: \(error.reason).")
      }
      others += contents.others
      unreadableNames += contents.unreadableNames
      subfolders += contents.subfolders
      for photo in contents.photos {
        present[photo.path] = photo.status
        var job = like
        (job.name, job.request.image, job.subfolder) = (photo.path, .path(photo.path), photo.subfolder)
        all.append(job)
        if isReady(photo), taken.insert(photo.path).inserted { jobs.append(job) }
      }
    }
    // A photo that was removed, and comes again, is new.
    taken.formIntersection(present.keys)
    seen = present
    return numbered(jobs, among: all)
  }

  /// A file that is still growing is waited for.
  private func isReady(_ photo: PhotoFolder.Photo) -> Bool {
    !isWatching || photo.status.bytes > 0 && seen[photo.path] == photo.status
  }

  /// - Parameter all: those of earlier calls as well.
  private mutating func numbered(_ jobs: [PictureJob], among all: [PictureJob]) -> [PictureJob] {
    let counts = skipsExisting ? Dictionary(all.map { (name(of: $0), 1) }, uniquingKeysWith: +) : [:]
    var numbered: [PictureJob] = []
    for var job in jobs {
      if skipsExisting, destination.hasPictures(of: job, amongPhotos: counts[name(of: job)] ?? 1) {
        skipped += 1
        continue
      }
      job.position = nextPosition
      nextPosition += 1
      numbered.append(job)
    }
    return numbered
  }

  /// What the pictures of a photo are named, from the folder for them on.
  private func name(of job: PictureJob) -> String {
    "\(job.subfolder ?? "")/\(destination.stem(of: job, view: nil, generation: nil))"
  }
}

/// The values of `FolderOptions`; the defaults are those of a command without them.
struct FolderSettings: Sendable {
  var isRecursive = false
  var skipsExisting = false
  var isWatching = false
}
