import TextFormat

/// An error in the command line; ends in exit status 64.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var description: String

  /// - Parameters:
  ///   - flag: As it is typed: `--sizes`.
  ///   - problem: The fault, with the value.
  ///   - remedy: What to do about it.
  init(_ flag: String, _ problem: String, remedy: String) { description = "\(flag): \(problem); \(remedy)" }

  init(_ problem: String, remedy: String) { description = "\(problem); \(remedy)" }

  /// - Parameter message: Includes the remedy.
  init(_ message: String) { description = message }
}

/// The baseline is missing or not comparable; ends in exit status 4.
struct NotComparable: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// A run went wrong through no fault of the command line; ends in exit status 1.
struct RunError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Why there is no executable of a revision.
enum RevisionError: Error, Equatable {
  case beginsWithDash(String)
  case emptyName
  case unknown(String, remedy: String)
  case ambiguous(String)
  case notACommit(String)
  case noRepository(folder: String, reason: String)
  case bareRepository(folder: String)
  case noPackage(String)
  /// No executable of the package depends on FrameBench.
  case noBenchmarks(String)
  case noPackageInRevision(String, folder: String)
  case missingTool(String, remedy: String)
  /// A git command failed unexpectedly.
  case git(String, reason: String)
  case doesNotBuild(String, reason: String, lastLines: [String])
  case timedOut(String, minutes: Int)
  case noSuchProduct(String, of: String)
  case diskFull(folder: String)
  case files(String)

  /// Whether the command line has to change.
  var isUsage: Bool {
    switch self {
    case .beginsWithDash, .emptyName, .unknown, .ambiguous, .notACommit, .noRepository, .bareRepository, .noPackage,
      .noBenchmarks:
      return true
    case .noPackageInRevision, .missingTool, .git, .doesNotBuild, .timedOut, .noSuchProduct, .diskFull, .files:
      return false
    }
  }

  /// Whether another commit may succeed.
  var isOfTheSources: Bool {
    switch self {
    case .doesNotBuild, .noPackageInRevision, .noSuchProduct, .timedOut: return true
    case .beginsWithDash, .emptyName, .unknown, .ambiguous, .notACommit, .noRepository, .bareRepository, .noPackage,
      .noBenchmarks, .missingTool, .git, .diskFull, .files:
      return false
    }
  }

  /// Whether the compiler ended by itself, so that its files serve the next build.
  var leavesWholeFiles: Bool {
    switch self {
    case .doesNotBuild, .noSuchProduct: return true
    case .beginsWithDash, .emptyName, .unknown, .ambiguous, .notACommit, .noRepository, .bareRepository, .noPackage,
      .noBenchmarks, .noPackageInRevision, .missingTool, .git, .timedOut, .diskFull, .files:
      return false
    }
  }

  var exitStatus: ExitStatus { isUsage ? .usage : .failure }

  /// Last output of the compiler.
  var lastLines: [String] {
    guard case .doesNotBuild(_, _, let lines) = self else { return [] }
    return lines
  }
}

extension RevisionError: CustomStringConvertible {
  /// The error in one line.
  var description: String { oneLine(text) }

  private var text: String {
    switch self {
    case .beginsWithDash(let name):
      return "\"\(name)\" is not a git revision: it begins with a dash; options come with their own names, "
        + "and a branch of such a name can be given as refs/heads/\(name)"
    case .emptyName: return "\"\" is not a git revision; name a branch, a tag or a commit"
    case .unknown(let name, let remedy): return "git knows no revision \"\(name)\"; \(remedy)"
    case .ambiguous(let name):
      return "\"\(name)\" is ambiguous: it names more than one thing; write refs/heads/\(name), "
        + "refs/tags/\(name) or more digits of the hash"
    case .notACommit(let name): return "\"\(name)\" is not a commit; name a branch, a tag or a commit"
    case .noRepository(let folder, let reason):
      return "\(folder) is not in a readable git repository (\(reason)); revisions can only be built "
        + "from a git checkout, run documents can be compared anywhere"
    case .bareRepository(let folder): return "\(folder) is a bare repository; clone it and work in the clone"
    case .noPackage(let reason): return "\(reason); name the folder of your Package.swift with --package-path"
    case .noBenchmarks(let folder):
      return "no executable of the package in \(folder) depends on FrameBench; springbench init adds a package with"
        + " benchmarks, and --package-path names one elsewhere"
    case .noPackageInRevision(let name, let folder):
      return "\(name) has no Package.swift in \(folder); the package must be there in every revision that "
        + "is compared"
    case .missingTool(let tool, let remedy): return "\(tool) cannot be started; \(remedy)"
    case .git(let duty, let reason): return "git could not \(duty): \(reason)"
    case .doesNotBuild(let name, let reason, _): return "\(name) does not build: \(reason)"
    case .timedOut(let name, let minutes): return "building \(name) took more than \(minutes) minutes and was stopped"
    case .noSuchProduct(let product, let name):
      return "\(name) has no executable product \"\(product)\"; --product names another"
    case .diskFull(let folder): return "no space left on the disk of \(folder); free some and try again"
    case .files(let reason): return reason
    }
  }
}
