import AtelierProtocol
import JSON
import Providers
import Templates

extension Engine {
  /// The providers and whether each can be asked now.
  public func listProviders(_ request: ProvidersList) async throws -> ProvidersList.Result {
    let fetches = request.fetchModels ?? false
    let entries = try await withThrowingTaskGroup(of: (Int, ProvidersList.Entry).self) { group in
      for (position, provider) in providers.all.enumerated() {
        group.addTask { (position, try await entry(of: provider, fetchingModels: fetches)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return ProvidersList.Result(providers: entries.sorted { $0.0 < $1.0 }.map(\.1))
  }

  private func entry(
    of provider: any ImageProvider, fetchingModels: Bool
  ) async throws -> ProvidersList.Entry {
    let profile = provider.profile
    let status = await monitor.status(of: provider)
    var entry = ProvidersList.Entry(
      id: provider.id, title: profile.title, available: status.available, reason: status.reason,
      needsKey: status.needsKey, recipes: profile.recipes, models: profile.models,
      cooldownUntil: status.cooldownUntil, pausedModels: status.pausedModels, local: profile.isLocal)
    guard fetchingModels, status.available else { return entry }
    do {
      entry.models = try await provider.fetchModels()
    } catch let error as AtelierError {
      entry.modelsError = error.body(at: surroundings.now())
    }
    return entry
  }

  /// The six headshot styles.
  public func listStyles() -> StylesList.Result {
    let able = providers.all.filter { $0.profile.recipes.contains(.headshot) }.map(\.id)
    return StylesList.Result(styles: Style.named.map { StylesList.Entry(style: $0, providers: able) })
  }
}

extension Engine {
  /// The most problems reported at once.
  private static let maximumProblems = 20

  /// A page of the template library.
  /// - Throws: invalid params for an invalid cursor, or what the store throws.
  public func listTemplates(_ request: TemplatesList, for caller: Caller) async throws -> TemplatesList.Result {
    var cursor: TemplateCursor?
    if let text = request.cursor {
      cursor = TemplateCursor(text)
      guard cursor != nil else { throw JSONDecodingFailure.foreignCursor }
    }
    let contents = await templates.contents()
    let uses = try await lazyStore.store().templateUses(upTo: cursor?.seen)
    // Problems in the operator's files do not concern a host confined to an account.
    let problems = caller.confinedTo == nil ? Array(contents.problems.prefix(Self.maximumProblems)) : []
    let page = contents.library.page(
      TemplateQuery(category: request.category, tag: request.tag, search: request.search),
      usage: TemplateUsage(counts: uses.counts, seen: uses.last), after: cursor,
      limit: request.limit ?? TemplatesList.defaultLimit, byteBudget: configuration.pageBytes - problems.bytesInAnswer,
      size: \.bytesInAnswer)
    return TemplatesList.Result(
      templates: page.templates, nextCursor: page.next?.text, problems: problems.isEmpty ? nil : problems)
  }

  /// One template.
  /// - Throws: `template_not_found` for an unknown or retired one, or what the store throws.
  public func template(_ request: TemplatesGet) async throws -> Template {
    guard var template = await templates.contents().library[request.templateId] else {
      throw AtelierError(templateNotFound: request.templateId)
    }
    template.popularity += try await lazyStore.store().templateUses().counts[template.id] ?? 0
    return template
  }

  /// The problems in the operator's template files.
  public func templateProblems() async -> [TemplateProblem] { await templates.contents().problems }

  /// How many templates there are.
  public func templateCount() async -> Int { await templates.contents().library.count }
}
