import AtelierProtocol
import JSON
import Providers
import Templates

extension Engine {
  /// The providers and whether each can be asked now.
  public func listProviders(_ request: ProvidersList) async throws -> ProvidersList.Result {
    let fetches = request.fetchModels ?? false
    let defaults = await defaultProviders()
    let entries = try await withThrowingTaskGroup(of: (Int, ProvidersList.Entry).self) { group in
      for (position, provider) in providers.all.enumerated() {
        group.addTask { (position, try await entry(of: provider, fetchingModels: fetches, defaults: defaults)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return ProvidersList.Result(providers: entries.sorted { $0.0 < $1.0 }.map(\.1))
  }

  private func entry(
    of provider: any ImageProvider, fetchingModels: Bool, defaults: [Recipe: ProviderID]
  ) async throws -> ProvidersList.Entry {
    let profile = provider.profile
    let status = await monitor.status(of: provider)
    var entry = ProvidersList.Entry(
      id: provider.id, title: profile.title, available: status.available, reason: status.reason,
      hint: status.hint, needsKey: status.needsKey, recipes: profile.recipes, models: profile.models,
      textModels: profile.textModels.isEmpty ? nil : profile.textModels,
      cooldownUntil: status.cooldownUntil, pausedModels: status.pausedModels, local: profile.isLocal,
      offers: profile.recipes.map { offer(of: provider, for: $0, isDefault: defaults[$0] == provider.id) })
    guard fetchingModels, status.available else { return entry }
    do {
      entry.models = try await provider.fetchModels()
    } catch let error as AtelierError {
      entry.modelsError = error.body(at: surroundings.now())
    }
    return entry
  }

  private func offer(of provider: any ImageProvider, for recipe: Recipe, isDefault: Bool) -> ProvidersList.Offer {
    ProvidersList.Offer(
      recipe: recipe, isDefault: isDefault,
      creditsPerImage: configuration.credits.costs.perPicture(by: provider, for: Generate(recipe: recipe)),
      // What a list of places costs depends on its length.
      usdPerImage: recipe == .places ? nil : provider.profile.usdPerImage)
  }

  /// The six headshot styles with a name, the backgrounds, and what a headshot made on this machine can be.
  public func listStyles() async -> StylesList.Result {
    let able = providers.all.filter { $0.profile.recipes.contains(.headshot) }
    func makers(of background: Background) -> [ProviderID] {
      able.filter { $0.profile.isLocal || ![.transparent, .keep].contains(background) }.map(\.id)
    }
    let provider = await defaultProvider(for: .headshot)
    let offer = provider.map { self.offer(of: $0, for: .headshot, isDefault: true) }
    return StylesList.Result(
      styles: Style.named.map { style in
        var entry = StylesList.Entry(style: style, providers: able.map(\.id))
        entry.defaultProvider = provider?.id
        entry.creditsPerImage = offer?.creditsPerImage
        entry.usdPerImage = offer?.usdPerImage
        return entry
      },
      backgrounds: Background.named.map { StylesList.BackgroundEntry(background: $0, providers: makers(of: $0)) }
        + [.everyColour(providers: able.map(\.id))],
      output: able.lazy.compactMap(\.profile.output).first)
  }

  private func defaultProviders() async -> [Recipe: ProviderID] {
    var found: [Recipe: ProviderID] = [:]
    for recipe in Recipe.allCases { found[recipe] = await defaultProvider(for: recipe)?.id }
    return found
  }

  /// The provider that is asked first for a request that names none; nil when such a request is refused.
  private func defaultProvider(for recipe: Recipe) async -> (any ImageProvider)? {
    guard let candidates = try? await providers.candidates(for: recipe, wanted: nil) else { return nil }
    for candidate in candidates where await monitor.status(of: candidate).available { return candidate }
    return candidates.first
  }

  /// The providers that a request would be sent to now, in the order in which they are asked.
  /// - Parameter maximumImageBytes: the largest picture, in bytes, for a request that is yet to be made ``fitting(_:for:)``;
  ///   nil for what `generate` takes.
  /// - Throws: what `generate` would throw.
  public func providers(
    for request: Generate, of caller: Caller, maximumImageBytes: Int? = nil
  ) async throws -> [any ImageProvider] {
    try request.validate()
    let account = try caller.account(naming: request.account)
    let (lineup, refusal) = try await generations.planner.foresee(
      request.completed, for: PictureAccess(account: account, isConfined: caller.isConfined), of: caller,
      maximumImageBytes: maximumImageBytes)
    if let refusal { throw refusal }
    return lineup.asked
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
    // Problems in the operator's files do not concern a confined host.
    let problems = !caller.isConfined ? Array(contents.problems.prefix(Self.maximumProblems)) : []
    let page = contents.library.page(
      TemplateQuery(category: request.category, tag: request.tag, search: request.search),
      usage: TemplateUsage(counts: uses.counts, seen: uses.last), after: cursor,
      limit: request.limit ?? TemplatesList.defaultLimit,
      byteBudget: configuration.pageBytes - problems.bytesInAnswer(in: .english),
      size: { $0.bytesInAnswer(in: .english) })
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
