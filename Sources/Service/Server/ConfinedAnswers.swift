import AtelierProtocol
import Engine

/// An answer or notification that names files. A confined connection is told only paths in the folders that the operator
/// has opened.
protocol PathHolding {
  /// Leaves out the paths that may not be shown.
  mutating func hidePaths(except isShown: (String) -> Bool)
}

extension Encodable {
  /// The same answer without the paths that may not be shown.
  func hidingPaths(except isShown: (String) -> Bool) -> Self {
    guard var holder = self as? any PathHolding else { return self }
    holder.hidePaths(except: isShown)
    return holder as? Self ?? self
  }
}

extension Service {
  /// A generation as this client may see it.
  func shown(_ generation: Generation) -> Generation {
    isConfined ? generation.hidingPaths(except: engine.configuration.access.shows) : generation
  }
}

extension Optional<String> {
  fileprivate mutating func hide(except isShown: (String) -> Bool) {
    if let path = self, !isShown(path) { self = nil }
  }
}

extension Generation: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    for index in images.indices {
      images[index].path.hide(except: isShown)
      images[index].storedPath.hide(except: isShown)
      images[index].matte?.path.hide(except: isShown)
      images[index].matte?.storedPath.hide(except: isShown)
    }
    thumbnail.hide(except: isShown)
    error?.hidePaths(except: isShown)
    for index in failures.indices { failures[index].error.hidePaths(except: isShown) }
  }
}

extension ErrorBody: PathHolding {
  /// The error of a request that came over another connection may name a file of that host, in its sentence too.
  mutating func hidePaths(except isShown: (String) -> Bool) {
    guard let path = data.details["path"]?.string, !isShown(path) else { return }
    data.details["path"] = nil
    message = ErrorKind(rawValue: data.kind)?.sentence ?? ErrorKind.internal.sentence
  }
}

extension Status.Result: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    switch self {
    case .generation(let generation): self = .generation(generation.hidingPaths(except: isShown))
    case .service(var status):
      status.store.path.hide(except: isShown)
      self = .service(status)
    }
  }
}

extension History.Result: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    entries = entries.map { $0.hidingPaths(except: isShown) }
  }
}

extension SessionList.Entry: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) { thumbnail.hide(except: isShown) }
}

extension SessionList.Result: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    sessions = sessions.map { $0.hidingPaths(except: isShown) }
  }
}

extension SessionGet.Result: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    session.hidePaths(except: isShown)
    entries = entries.map { $0.hidingPaths(except: isShown) }
  }
}

extension CreditsEstimate.Result: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) { refusal?.hidePaths(except: isShown) }
}

extension ProvidersList.Result: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    for index in providers.indices { providers[index].modelsError?.hidePaths(except: isShown) }
  }
}

extension Template: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    reference.hide(except: isShown)
    thumbnail.hide(except: isShown)
  }
}

extension TemplatesList.Result: PathHolding {
  mutating func hidePaths(except isShown: (String) -> Bool) {
    templates = templates.map { $0.hidingPaths(except: isShown) }
  }
}
