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
      (self.sentences, costs) = (sentences, false)
      return
    }
    let pictures = sent.reduce(0) { $0 + $1.request.pictureCount }
    for (position, maker) in first.foresight.makers.enumerated() {
      let notice = MakerNotice(maker, for: first.request, generations: sent.count, results: pictures)
      sentences.append("\(position == 0 ? "" : "If that fails: ")\(notice.sentence)")
    }
    let credits = sent.reduce(0) { $0 + $1.foresight.credits }
    if credits > 0 {
      sentences.append("The account “\(first.request.account?.rawValue ?? "")” is charged at most \(credits.credits).")
    }
    self.sentences = sentences
    costs = credits > 0 || first.foresight.makers.contains { $0.profile.mayCostMoney }
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
  /// Whether somebody pays for its pictures: as their price says, and where that is not known, unless the server is on this
  /// machine.
  fileprivate var mayCostMoney: Bool { !isLocal && (usdPerImage.map { $0 > 0 } ?? !isServedHere) }
}
