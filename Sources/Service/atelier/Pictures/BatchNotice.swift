import AtelierProtocol
import Engine
import Providers

/// What a person is told before the generations of a command begin: what history answers, who makes the rest, what is sent
/// there and what it costs.
struct BatchNotice: Equatable {
  let sentences: [String]
  /// Whether somebody may have to pay, so that the person is asked.
  let costs: Bool

  /// - Parameter plans: the generations, and what would come of each.
  init(_ plans: [(request: Generate, foresight: Foresight)]) {
    let known = plans.compactMap(\.foresight.earlier)
    let sent = plans.filter { $0.foresight.earlier == nil }
    var sentences = [Self.sentence(ofKnown: known, among: plans.count)].compactMap { $0 }
    guard let first = sent.first else {
      self.init(sentences, of: [])
      return
    }
    let pictures = sent.reduce(0) { $0 + $1.request.pictureCount }
    for (position, maker) in first.foresight.makers.enumerated() {
      let notice = MakerNotice(maker, for: first.request, generations: sent.count, results: pictures)
      sentences.append("\(position == 0 ? "" : "If that fails: ")\(notice.sentence)")
    }
    self.init(sentences, of: sent)
  }

  /// The notice of places that are looked up in a list of the person's own.
  init(_ request: Generate, _ foresight: Foresight, in list: PlaceListSource) {
    let names = foresight.makers.map(\.profile.title).joined(separator: ", or if that fails ")
    let sent = list.listing == nil ? "your words are" : "your words and the list are"
    let sentence = """
      \(names): \(sent) sent there. The price depends on the length of the list; the result tells it. Places are looked up \
      among the \(list.list.count) of \(list.path.onOneLine), here.
      """
    self.init([sentence], of: [(request, foresight)])
  }

  /// Adds what is charged.
  private init(_ sentences: [String], of sent: [(request: Generate, foresight: Foresight)]) {
    let credits = sent.reduce(0) { $0 + $1.foresight.credits }
    let account = sent.first?.request.account?.rawValue ?? ""
    let charged = credits > 0 ? ["The account “\(account)” is charged at most \(credits.credits)."] : []
    self.sentences = sentences + charged
    costs = credits > 0 || sent.first?.foresight.makers.contains { $0.profile.mayCostMoney } == true
  }

  private static func sentence(ofKnown known: [Foresight.EarlierResult], among count: Int) -> String? {
    guard let first = known.first else { return nil }
    if count == 1 {
      return "The same as on \(first.createdAt.localText): from history, at no cost; --cache bypass makes a new one."
    }
    let which = known.count == count ? "All \(count)" : "\(known.count) of \(count)"
    return "\(which) are the same as earlier ones: from history, at no cost; --cache bypass makes new ones."
  }
}

extension ProviderProfile {
  /// Whether somebody may have to pay for its pictures.
  fileprivate var mayCostMoney: Bool { !isLocal && !isFree }
}
