import TextFormat

/// An error in the command line. The command exits with status 64.
package typealias UsageError = MessageError<ErrorKind.Usage>

/// An error because the baseline is missing or not comparable. The command exits with status 4.
package typealias NotComparable = MessageError<ErrorKind.Comparison>

/// An error that the command line did not cause. The command exits with status 1.
package typealias RunError = MessageError<ErrorKind.Run>

/// Only names that distinguish the types of errors.
package enum ErrorKind {
  package enum Usage {}
  package enum Comparison {}
  package enum Run {}
}

extension UsageError {
  /// - Parameter flag: The option as typed, such as `--sizes`.
  package init(_ flag: String, _ problem: String, remedy: String) { self.init("\(flag): \(problem); \(remedy)") }

  package init(_ problem: String, remedy: String) { self.init("\(problem); \(remedy)") }
}

/// The reason why a revision (a commit or the working tree) has no program that could be measured.
package struct RevisionError: Error, Equatable, CustomStringConvertible {
  package enum Kind {
    /// The user must correct the command line.
    case usage
    case failure
    case fullDisk
    /// The sources of the commit caused the error, so another commit may succeed.
    case sources
    /// Like `sources`, but nothing interrupted the build. So its files are intact, and the next build can reuse them.
    case compiledSources
  }

  package let kind: Kind
  /// The message, in one line.
  package let description: String
  /// The errors of the compiler, or the last lines of its output.
  package let lastLines: [String]

  package init(_ kind: Kind, _ description: String, lastLines: [String] = []) {
    (self.kind, self.description, self.lastLines) = (kind, oneLine(description), lastLines)
  }

  package var isOfTheSources: Bool { [.sources, .compiledSources].contains(kind) }

  /// Returns the error for a file, a folder or an empty name that was given in place of a revision.
  package static func notACommit(_ problem: String) -> Self {
    Self(.usage, "\(problem); name a branch, a tag or a commit")
  }

  package static func noCheckout(_ folder: String) -> Self {
    Self(
      .usage,
      "\(folder) is not in a git checkout; revisions can only be built from one, and run documents compared anywhere")
  }

  /// Returns the error for a package in which no executable depends on FrameBench.
  /// - Parameter hints: Possible reasons.
  package static func noBenchmarks(_ folder: String, hints: [String] = []) -> Self {
    Self(
      .usage,
      "no executable of the package in \(folder) depends on FrameBench; springbench init adds a package with"
        + " benchmarks, and --package-path names one elsewhere", lastLines: hints)
  }

  package static func missingTool(_ tool: String, remedy: String) -> Self {
    Self(.failure, "\(tool) cannot be started; \(remedy)")
  }

  package static func noProduct(_ product: String, _ name: String) -> Self {
    Self(.compiledSources, "\(name) has no executable product \"\(product)\"; --product names another")
  }

  package static func doesNotBuild(_ name: String, reason: String, lastLines: [String]) -> Self {
    Self(.compiledSources, "\(name) does not build: \(reason)", lastLines: lastLines)
  }

  /// - Parameter cause: The message of git.
  package static func notFetched(_ name: String, cause: String, isInSandbox: Bool) -> Self {
    let remedy =
      isInSandbox
      ? "the sandbox has no network, so run `swift package resolve` in the folder of the package first"
      : "try again with a network"
    return Self(.failure, "the dependencies of \(name) could not be fetched (\(cause)); \(remedy)")
  }

  package static func diskFull(folder: String) -> Self {
    Self(.fullDisk, "no space left on the disk of \(folder); free some and try again")
  }
}
