import Builds
import Execution
import Foundation
import FrameBench
import Judging
import Measurements
import Pages
import Platform
import TextFormat

/// What the gate says about the limits and the benchmarks that it did not check, and about the code that it judged.
extension GateJob {
  func addRemarks(
    on compared: ComparisonDocument?, _ document: RunDocument?, _ reference: GateReference, to report: inout CheckReport
  ) async throws {
    if document != nil, let otherPrograms { report.addRemark("The \(otherPrograms).") }
    // The run, unless it is of the compared code by nature.
    let run = stored ?? (finished == nil ? nil : document)
    if let file, let run, let compared, stored != nil || !run.options.namesFrames(of: compared.options) {
      let framed = Set((compared.ruleChanges ?? []).filter(\.isOfFrames).map(\.scenario))
      let own = run.allIDs.filter(file.hasRule).map(\.scenario).unique.filter(framed.contains)
      if !own.isEmpty {
        report.addRemark(
          "The run has the candidate's frames of \(Format.list(own)), so these limits were checked over them.")
      }
    }
    if let stored, let remark = try await remarkOnTag(of: "run", with: Set(stored.allIDs)) { report.addRemark(remark) }
    if let run, let commit = run.environment.commit {
      let isDirty = run.environment.isDirty == true
      var place = "The run is of commit \(commit.prefix(12))\(isDirty ? " with changes" : "")."
      // A comparison of documents does not say whether its candidate had changes.
      if let compared, compared.method.source != .documents {
        let candidate = compared.candidate
        let isOtherDirty = candidate.name.hasSuffix(BuildName.dirtyMark)
        if isOtherDirty, isDirty {
          place += " The comparison is of that commit with changes, too. It is not known whether they are the same."
        } else if isOtherDirty != isDirty, candidate.commit != nil {
          place += " The comparison is of that commit \(isDirty ? "without" : "with") changes, so it judges other code."
        }
      }
      report.addRemark(place)
    }
    if let run, let compared, finished != nil || compared.method.source != .documents,
      run.environment.commit == nil || compared.candidate.commit == nil
    {
      report.addRemark(
        "The \(run.environment.commit == nil ? "run" : "comparison") names no commit, so it is not known whether"
          + " the run is of the compared code.")
    }
    if let (name, base) = reference.measured, file != nil || base != nil {
      let remark = try await remark(whether: "the limits are those of \(name)") {
        guard let base else { throw RunError("it names no commit") }
        // Git is given the whole hash, because it cannot tell whether an abbreviated one belongs to a missing commit.
        return try await remarkOnLimits(since: base)?.replacing(base, with: base.prefix(12))
      }
      if let remark { report.addRemark(remark) }
    }
    if let finished {
      let commit = finished.candidate.commit.map { ", commit \($0.prefix(12))" } ?? ""
      report.addRemark("The candidate is \(finished.candidate.name)\(commit).")
    }
    for (kind, selection) in [("run", stored?.selection), ("comparison", finished?.selection)] {
      guard let selection, !selection.isEmpty else { continue }
      report.addRemark("The \(kind) was made with \(ShellWord.quoted(selection)), so it may lack a part of the suite.")
    }
    let remark = try await remark(whether: "the checkout here is what was judged") { try await remarkOnCheckout(run) }
    if let remark { report.addRemark(remark) }
  }

  /// Returns what `body` returns. If it fails, returns a remark that says what is not known.
  private func remark(whether question: String, _ body: () async throws -> String?) async throws -> String? {
    do { return try await body() } catch let error as CancellationError { throw error } catch {
      return "Whether \(question) is not known: \(error)."
    }
  }

  /// Returns a remark on a checkout that is not what was judged. Nil if it is, or if no document names what was.
  private func remarkOnCheckout(_ run: RunDocument?) async throws -> String? {
    guard run != nil || finished != nil, let head = try await head() else { return nil }
    guard let judged = run?.environment.commit ?? finished?.candidate.commit else {
      throw RunError("what was judged names no commit")
    }
    // Whether the candidate of documents had changes is not known.
    let wasClean =
      run.map { $0.environment.isDirty == false }
      ?? finished.map { $0.method.source != .documents && !$0.candidate.name.hasSuffix(BuildName.dirtyMark) }
    if head.commit != judged {
      return "The checkout here is at another commit, \(head.commit.prefix(12)), which was not judged."
    }
    return wasClean == true && head.isDirty ? "The checkout here has changes, which were not judged." : nil
  }

  var folder: String { (try? PackageFolder.find(building.packagePath)) ?? FileManager.default.currentDirectoryPath }

  /// Returns the commit that is checked out here; nil if there is none.
  func head() async throws -> Git.Head? { try await Git(folder: folder).head(except: building.written) }

  /// Returns a remark on the benchmarks that `--tag` leaves out. The suite may have taken the tag from them. Nil if there
  /// are none.
  func remarkOnTag(of source: String, with ids: Set<BenchmarkID>) async throws -> String? {
    var untagged = try await selection()
    guard untagged.tag != nil else { return nil }
    untagged.tag = nil
    let tagged = Set(try command.selection.selected(in: try await catalogue.get()).map(\.id))
    let others = ids.filter(try untagged.selector()).subtracting(tagged)
    return others.map(\.description).min().map {
      "--tag left out \(Format.plural(others.count, "benchmark")) of the \(source), such as \($0)."
    }
  }

  /// Returns a remark on compared benchmarks with limits that a new run leaves out, because the candidate took a tag from
  /// them, or gave `--quick` other sizes. Nil if there are none.
  func remarkOnUnselected(in compared: ComparisonDocument) async throws -> String? {
    guard let file, stored == nil else { return nil }
    let catalogue = try await catalogue.get()
    let selected = try command.selection.selected(in: catalogue, isQuick: command.measuring.quick).map(\.id)
    let known = catalogue.benchmarks(sizes: command.selection.sizes).map(\.id)
    let others = Set(compared.allIDs).intersection(known).subtracting(selected).filter(file.hasRule)
    return others.map(\.description).min().map {
      "Limits of \(Format.plural(others.count, "compared benchmark")), such as \($0), were not checked, because the"
        + " candidate's tags or sizes of --quick leave \(others.count == 1 ? "it" : "them") out."
    }
  }

  /// Returns a remark on limits that are not those of a revision. Nil if they are the same, or if neither has any.
  func remarkOnLimits(since revision: String) async throws -> String? {
    let change = try await LimitChange(of: command.budgets, package: building.packagePath, since: revision)
    return file == nil && change == .unknown ? nil : change.remark(since: revision)
  }
}
