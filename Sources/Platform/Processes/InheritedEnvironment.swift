import CProcessControl
import Foundation
import Synchronization

/// The environment variables that this program keeps, and those that it passes on to the programs that it starts. All
/// such variables are listed here.
package enum InheritedEnvironment {
  /// The variable with a comma-separated list of further variables that all programs get.
  package static let passVariable = "SPRINGBENCH_PASS_ENVIRONMENT"

  /// The variables that SwiftPM, the compiler, benchmarks and all other programs get.
  private static let names = Set([
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "CI", "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
    "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "LD_LIBRARY_PATH", "LD_PRELOAD", "GLIBC_TUNABLES",
  ]).union(compilerVariables)
  package static let compilerVariables = [
    "CC", "CXX", "CFLAGS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH",
    "SDKROOT", "SWIFT_EXEC", "TOOLCHAINS",
  ]
  private static let prefixes = ["LC_", "MALLOC_", "SPRINGBENCH_", "SWIFT_"]

  /// Further variables that git gets: for trusting checkouts under sudo, for its configuration, and for reaching a
  /// remote, from which a partial clone fetches what it lacks.
  private static let gitNames: Set = [
    "SUDO_UID", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH", "GIT_ALLOW_PROTOCOL",
    "GIT_NO_LAZY_FETCH", "GIT_ASKPASS", "SSH_ASKPASS", "SSH_AUTH_SOCK", "ALL_PROXY", "all_proxy", "CURL_CA_BUNDLE",
  ]
  private static let gitPrefixes = ["GIT_CONFIG_", "GIT_SSH", "GIT_SSL_", "GIT_PROXY_", "GIT_HTTP_"]

  /// Further variables that springbench itself reads.
  private static let ownNames: Set = [
    "NO_COLOR", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID",
    "CI_JOB_URL", "CI_PROJECT_DIR",
  ]
  private static let ownPrefixes = ["SLURM_ARRAY_", "CI_NODE_", "JOB_COMPLETION", "STRATEGY_JOB_"]

  private static let forgotten = Mutex<Set<String>>([])

  /// Erases all variables that are not listed here from this process. Code of other people's revisions runs with the
  /// rights of this process, and must not find secrets in it. Must be called before anything else reads a variable.
  package static func forgetOthers() {
    process_control_forget_variables { name, length in
      let name = String(decoding: UnsafeRawBufferPointer(start: name, count: length), as: UTF8.self)
      let isKept = InheritedEnvironment.isKept(name)
      if !isKept { InheritedEnvironment.forgotten.withLock { _ = $0.insert(name) } }
      return isKept
    }
  }

  private static let passed = names(in: getenv(passVariable).map { String(cString: $0) })

  /// Returns the names in a list such as `passVariable` has.
  package static func names(in list: String?) -> Set<String> { Set((list ?? "").split(separator: ",").map(\.trimmed)) }

  private static func isKept(_ name: String) -> Bool {
    isPassed(name, passed) || isOfGit(name) || ownNames.contains(name) || ownPrefixes.contains(where: name.hasPrefix)
  }

  private static func isPassed(_ name: String, _ passed: Set<String>) -> Bool {
    names.contains(name) || passed.contains(name) || prefixes.contains(where: name.hasPrefix)
  }

  private static func isOfGit(_ name: String) -> Bool {
    gitNames.contains(name) || gitPrefixes.contains(where: name.hasPrefix)
  }

  /// The variables that all programs get. `ofGit` and `ofWorkers` (the processes that run benchmarks) have more.
  package static var variables: [String: String] { reduced(ProcessInfo.processInfo.environment) }

  package static var ofWorkers: [String: String] {
    [
      // A backtrace takes a tenth of a second. After it, the kept end of stderr would lack the error message.
      "SWIFT_BACKTRACE": "enable=no",
      // Otherwise the layout of dictionaries and sets, and so their costs, would differ from process to process.
      "SWIFT_DETERMINISTIC_HASHING": "1",
    ].merging(variables) { $1 }
  }

  /// Returns the variables that git gets, so that git behaves here as it does for the user. Builds and benchmarks do
  /// not get all of these variables.
  package static func ofGit(_ all: [String: String] = ProcessInfo.processInfo.environment) -> [String: String] {
    reduced(all).merging(all.filter { name, _ in isOfGit(name) }) { $1 }
  }

  package static func reduced(_ all: [String: String]) -> [String: String] {
    let passed = names(in: all[passVariable])
    return all.filter { name, _ in isPassed(name, passed) }
  }

  /// Returns a note on the variables that a `Package.swift` seems to read but does not get. Only names in quotes count,
  /// because other words of a manifest, such as `name`, may also be names of variables. Empty if there are none.
  package static func withheld(from manifest: String) -> [String] {
    let words = Set(manifest.matches(of: /"([A-Za-z_][A-Za-z0-9_]+)"/).map { String($0.1) })
    let all = ProcessInfo.processInfo.environment
    let withheld = Set(all.keys).subtracting(reduced(all).keys).union(forgotten.withLock(\.self))
    let names = withheld.intersection(words).sorted()
    guard !names.isEmpty else { return [] }
    return [
      "the manifest seems to read \(names.joined(separator: ", ")), which is withheld from builds;"
        + " \(passVariable)=\(names.joined(separator: ",")) passes it on"
    ]
  }
}
