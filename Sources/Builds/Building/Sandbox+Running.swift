import CProcessControl
import Foundation
import Platform
import Synchronization

extension Sandbox {
  /// Runs this command again in the sandbox, and returns its exit status. Nil if this process already runs in a
  /// sandbox.
  ///
  /// - Parameters:
  ///   - package: The folder of the package that the user named; nil if none was named.
  ///   - programs: The paths of programs of benchmarks that the user named.
  package static func run(_ arguments: [String], package: String?, programs: [String]) async throws -> ExitStatus? {
    guard current == nil else { return nil }
    let path = SystemFiles.searchPath
    guard let bubblewrap = SystemFiles().programs("bwrap", path: path).first else {
      throw UsageError(
        "--sandbox: bubblewrap is not installed",
        remedy: "install it (on Debian: apt install bubblewrap), or leave --sandbox out")
    }
    guard Wall.isPossible else {
      throw UsageError(
        "--sandbox: this system has no Landlock, or not the one of Linux 5.19 or later",
        remedy: "measure on another, or leave --sandbox out")
    }
    try await checkIsolation(by: bubblewrap)
    // Manifests run only in the sandbox, so it is not known yet which of these packages has the benchmarks.
    var locations: [PackageLocation] = []
    for folder in try PackageFolder.all(package).compactMap(Paths.real) {
      let location = try await PackageLocation.find(folder)
      // A folder in a submodule is left out, because it belongs to another repository.
      if location.repository == (locations.first ?? location).repository { locations.append(location) }
    }
    let repository = locations[0].repository
    let git = Git(folder: repository)
    let folders = try await git.output(
      ["rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir"], to: "find its repository"
    ).split(separator: "\n").map(String.init)
    for folder in [repository] + locations.map(\.buildFolder) where !isApart(folder) {
      throw UsageError(
        "--sandbox: \(folder) holds a home folder or a folder for temporary files",
        remedy: "measure in a clone elsewhere")
    }
    // The author of a commit must not choose what is mounted as the build folder.
    for location in locations where try await location.tracks(".build") {
      throw UsageError(
        "--sandbox: git tracks \(location.package)/.build, to which springbench writes", remedy: "remove it from git")
    }
    let executable = Paths.real("/proc/self/exe") ?? "/proc/self/exe"
    let packages = locations.flatMap(\.packagesOutside).unique.filter(isApart)
    let sandbox = Sandbox(
      repository: repository, buildFolders: locations.map(\.buildFolder), stores: locations.map(\.store),
      gitFolders: folders + ["\(repository)/.git"] + objectFolders(outside: "\(folders[0])/objects"),
      otherGitFolders: gitFolders(below: repository, besides: locations.map(\.buildFolder)),
      visible: (tools(path) + libraries + packages).filter(isApart)
        + programs.compactMap(Paths.real).flatMap(programAndFolder) + [executable])
    let list = try OwnDescriptor.unnamedFile()
    _ = try list.file.writeAll(try JSONEncoder().encode(sandbox))
    _ = try list.file.seek(offset: 0, from: .start)
    var launch = Launch(
      path: bubblewrap, arguments: ["bwrap"] + sandbox.options(packages) + ["--", executable] + arguments,
      environment: environment)
    launch.ignoresInterruptions = true
    // Code of the package cannot write to the folder of worktrees, but it can change the folder's permissions.
    let files = FileManager.default
    let permissions = try? files.attributesOfItem(atPath: sandbox.worktrees)[.posixPermissions]
    defer {
      if let permissions { try? files.setAttributes([.posixPermissions: permissions], ofItemAtPath: sandbox.worktrees) }
    }
    let (status, wasInterrupted) = try await DedicatedThread.run { [launch] _ in
      let process = try RunningProcess(launch, try (0..<3).map(OwnDescriptor.copy) + [list])
      let id = process.id
      let hasEnded = Atomic(false)
      let watch = SignalWatch { number, isFirst in
        guard isFirst else { return _ = kill(-id, SIGKILL) }
        // Until springbench in the sandbox listens for signals, they are ignored, so the first one is repeated.
        DispatchQueue.global().async {
          // Code of the package may have stopped springbench, if the system is older than Linux 6.12.
          while !hasEnded.load(ordering: .relaxed), kill(-id, number) == 0, kill(-id, SIGCONT) == 0 { usleep(250_000) }
        }
      }
      defer { watch.stop() }
      let status = process.wait()
      hasEnded.store(true, ordering: .relaxed)
      return (ChildProcess.TerminationStatus(status), watch.hasReceived)
    }
    let end = ended(status)
    if case .signaled(let number) = end, case .exited = status, SignalWatch.numbers.contains(number) {
      // The process in the sandbox has already reported the interruption.
      return .failure
    }
    if case .exited(let code) = end, let known = ExitStatus(rawValue: code) { return known }
    // The interrupted process ended before it could report the interruption itself.
    if wasInterrupted { throw RunError("interrupted; nothing was written") }
    throw RunError("--sandbox: springbench itself ended with \(end) in the sandbox; is there enough memory?")
  }

  /// Checks that bubblewrap can isolate a program on this system, before anything is written. Without this check, a
  /// program called bwrap that only runs its command would make springbench start itself endlessly.
  private static func checkIsolation(by bubblewrap: String) async throws {
    let processes = "/proc/self/ns/pid"
    let probe = ChildProcess(
      executable: bubblewrap, arguments: systemFolders + isolation + ["--", "readlink", processes],
      timeout: .seconds(60))
    let end = try await probe.run { error in RunError("--sandbox: \(bubblewrap) cannot be started: \(error)") }
    guard end.isSuccess else {
      throw RunError(
        "--sandbox: bubblewrap cannot make a sandbox here\(lastLine(ofStandardError: end.errorTail)); allow user"
          + " namespaces, or leave --sandbox out and use a container as the sandbox")
    }
    guard end.text != (try? FileManager.default.destinationOfSymbolicLink(atPath: processes)), !end.text.isEmpty else {
      throw RunError("--sandbox: \(bubblewrap) makes no sandbox; put bubblewrap itself on the PATH")
    }
  }

  /// Returns the folders of other repositories from which git also reads objects, as in a clone with `--reference`.
  private static func objectFolders(outside objects: String, depth: Int = 0) -> [String] {
    let list = FileManager.default.contents(atPath: "\(objects)/info/alternates") ?? Data()
    let folders = String(decoding: list, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    // Git follows such lists up to a depth of five.
    return folders.compactMap { Paths.real($0.hasPrefix("/") ? String($0) : "\(objects)/\($0)") }.flatMap {
      [$0] + (depth < 5 ? objectFolders(outside: $0, depth: depth + 1) : [])
    }
  }

  /// Returns the `.git` of all other repositories in the checkout, such as submodules, and the folders to which they
  /// lead. The build folders of packages that are not measured count as well, because they contain clones of
  /// dependencies.
  private static func gitFolders(below repository: String, besides buildFolders: [String]) -> [String] {
    let found = hiddenEntries(below: repository).filter { !buildFolders.contains($0) }
    return found
      + found.compactMap { path in
        let text = InputFile.untrusted(path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let place = text.hasPrefix("gitdir: ") ? text.dropFirst("gitdir: ".count).trimmed : ""
        let target = place.isEmpty ? path : place.hasPrefix("/") ? place : Paths.joined(Paths.parent(path), place)
        return Paths.real(target).flatMap { $0 == path ? nil : $0 }
      }
  }

  /// Returns everything called `.git` or `.build` below a folder, except for the folder's own `.git`. Foundation's
  /// enumerator would take five times as long, which matters in a checkout of 100,000 files.
  private static func hiddenEntries(below folder: String, isTop: Bool = true) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var (found, folders): ([String], [String]) = ([], [])
    while let entry = readdir(stream) {
      let isKnown = entry.pointee.d_type != DT_UNKNOWN
      guard !isKnown || entry.pointee.d_type == DT_DIR || entry.pointee.d_name.0 == CChar(UInt8(ascii: ".")) else {
        continue
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      let path = "\(folder)/\(name)"
      if name == ".build" || name == ".git" && !isTop {
        found.append(path)
      } else if ![".", "..", ".git"].contains(name),
        isKnown ? entry.pointee.d_type == DT_DIR : Paths.mode(path).map({ $0 & S_IFMT == S_IFDIR }) ?? false
      {
        folders.append(path)
      }
    }
    return found + folders.flatMap { hiddenEntries(below: $0, isTop: false) }
  }

  /// Returns how the program in the sandbox ended. Bubblewrap adds 128 to the number of a signal.
  static func ended(_ status: ChildProcess.TerminationStatus) -> ChildProcess.TerminationStatus {
    if case .exited(let code) = status, code > 128 { .signaled(code - 128) } else { status }
  }

  /// The environment variables in the sandbox. They make git trust every checkout. Git trusted this checkout outside
  /// the sandbox, but perhaps only because of a configuration file that is not visible inside.
  private static var environment: [String: String] {
    // Addresses of proxies are left out. They may contain passwords, and there is no network in the sandbox.
    var all = ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("XDG_") && name != "SSH_AUTH_SOCK" && !name.lowercased().hasSuffix("_proxy")
    }
    let count = Int(all["GIT_CONFIG_COUNT"] ?? "") ?? 0
    all["GIT_CONFIG_COUNT"] = "\(count + 1)"
    (all["GIT_CONFIG_KEY_\(count)"], all["GIT_CONFIG_VALUE_\(count)"]) = ("safe.directory", "*")
    (all["HOME"], all["TMPDIR"]) = (home, temporary)
    return all
  }

  private func options(_ packages: [String]) -> [String] {
    let manager = FileManager.default
    func readable(_ path: String) -> [String] { ["--ro-bind-try", path, path] }
    func writable(_ path: String) -> [String] { ["--bind", path, path] }
    // Only existing folders can be mounted. Git would create the folder of worktrees only with its first worktree.
    for folder in buildFolders + [worktrees] { mkdir(folder, 0o777) }
    var options = Self.systemFolders
    // `/sys` and `/proc/sys` are read-only, because root can change settings of the kernel even without capabilities.
    options += (Self.settings + ["/sys"]).flatMap(readable) + Self.isolation
    // Hides the caller's terminal, which bubblewrap would show as the console.
    options += readable("/proc/sys") + ["--dev-bind", "/dev/null", "/dev/console"]
    options += ["--dir", "/tmp", "--tmpfs", Self.temporary, "--tmpfs", Self.home]
    options += visible.filter { !$0.hasPrefix("/usr/") }.flatMap(readable)
    let hidden = packages.flatMap { ["\($0)/.git"] + Self.gitFolders(below: $0, besides: []) }.filter(
      manager.fileExists)
    for path in hidden { options += Paths.isFolder(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path] }
    // A program may be in a build folder that was hidden above, as springbench's own in its clone. It is made visible
    // again.
    options += visible.filter { path in hidden.contains { path.hasPrefix($0 + "/") } }.flatMap(readable)
    options += ([repository] + buildFolders).flatMap(writable) + gitFolders.flatMap(readable) + writable(worktrees)
    // The user's own worktrees cannot be changed. The others are in a store.
    options += Paths.names(in: worktrees).map { "\(worktrees)/\($0)" }.filter { entry in
      let link = manager.contents(atPath: "\(entry)/gitdir").map { String(decoding: $0, as: UTF8.self) } ?? ""
      let place = URL(fileURLWithPath: link.hasPrefix("/") ? link : "\(entry)/\(link)").standardizedFileURL.path
      return !stores.contains { place.hasPrefix($0 + "/") }
    }.flatMap(readable)
    // GitHub's summary of the job is a file outside of the checkout.
    if let summary = Self.environment["GITHUB_STEP_SUMMARY"], !summary.isEmpty {
      options += ["--bind-try", summary, summary]
    }
    let here = manager.currentDirectoryPath
    return options + ["--ro-bind-data", "3", Self.listPath, "--dir", here, "--chdir", here, "--remount-ro", "/"]
  }

  private static var systemFolders: [String] {
    system.flatMap { path in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { ["--symlink", $0, path] } ?? [
        "--ro-bind-try", path, path,
      ]
    }
  }

  /// The options of bubblewrap that a system may refuse; see `checkIsolation`.
  static var isolation: [String] {
    let options = [
      "--dev", "/dev", "--proc", "/proc", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent",
    ]
    // Root needs these capabilities in a checkout of another user, and to set the priority of processes.
    let capabilities = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_SYS_NICE"].flatMap { ["--cap-add", $0] }
    return options + (geteuid() == 0 ? ["--cap-drop", "ALL"] + capabilities : [])
  }

  /// Returns false for home folders, for folders of temporary files, and for folders that contain one of them.
  private static func isApart(_ folder: String) -> Bool {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? "/root"
    let others = [home, NSHomeDirectory(), NSTemporaryDirectory(), "/tmp", "/var/tmp", "/home", "/root"]
    return !others.compactMap(Paths.real).contains { ($0 + "/").hasPrefix(folder == "/" ? "/" : folder + "/") }
  }

  /// The folders of the libraries that springbench has loaded. They may belong to a toolchain other than the one on the
  /// `PATH`.
  private static var libraries: [String] {
    let maps = String(decoding: FileManager.default.contents(atPath: "/proc/self/maps") ?? Data(), as: UTF8.self)
    return maps.split(separator: "\n").compactMap { line in
      line.contains(".so") ? line.firstIndex(of: "/").map { Paths.parent(String(line[$0...])) } : nil
    }.unique
  }

  private static func programAndFolder(_ path: String) -> [String] { [path] + [Paths.parent(path)].filter(isApart) }

  /// Returns the folders of the programs that springbench calls, and of the Swift toolchain.
  private static func tools(_ path: String) -> [String] {
    ["swift", "swiftc", "git", "valgrind", "llvm-symbolizer"].flatMap { name -> [String] in
      guard let found = SystemFiles().programs(name, path: path).first, let real = Paths.real(found) else { return [] }
      let folder = Paths.parent(real)
      let isToolchain = ["lib/swift", "toolchains"].contains { Paths.isFolder("\(folder)/../\($0)") }
      return [Paths.real(Paths.parent(found)), isToolchain ? Paths.parent(folder) : folder].compactMap(\.self)
    }.unique
  }
}

extension PackageLocation {
  /// The packages outside the checkout that its manifest names by path, and the packages that their manifests name. The
  /// manifests are only read as text, because a manifest that runs here, outside the sandbox, could read any file.
  fileprivate var packagesOutside: [String] {
    var found: [String] = []
    var open = [package]
    while let folder = open.popLast() {
      let text = String(
        decoding: FileManager.default.contents(atPath: "\(folder)/Package.swift") ?? Data(), as: UTF8.self)
      for match in text.matches(of: /\.package\(\s*(?:name:\s*"[^"]*",\s*)?path:\s*"([^"]+)"/) {
        let path = String(match.1)
        guard let real = Paths.real(path.hasPrefix("/") ? path : "\(folder)/\(path)"), PackageFolder.hasManifest(real),
          !(real + "/").hasPrefix(repository + "/"), !found.contains(real)
        else { continue }
        found.append(real)
        open.append(real)
      }
    }
    return found
  }
}
