import CProcessControl
import Foundation
import Testing

@testable import Platform

/// Tests which system calls code of the package cannot use in the sandbox. The tests run Perl, whose functions are thin
/// wrappers of system calls.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/perl"), "there is no Perl"))
struct SystemCallTests {
  /// The numbers of system calls for which Perl has no function.
  #if arch(x86_64)
    private static let numbers = (fchmodat: 268, mknodat: 259, addKey: 248, requestKey: 249, keyctl: 250)
  #else
    private static let numbers = (fchmodat: 53, mknodat: 33, addKey: 217, requestKey: 218, keyctl: 219)
  #endif

  /// The script tries to empty a file by its path, by opening it for reading, by opening it with access mode 3, and
  /// through a descriptor that is open for writing. The sandbox allows only the last way.
  @Test(arguments: [true, false]) func aFileThatMayNotBeWrittenIsNotEmptied(isSandboxed: Bool) throws {
    let script = """
      sub fill { open(my $file, '>', 'file') or die "cannot write"; print $file 'content'; close $file }
      fill();
      truncate('file', 0); print -s 'file' || 0, ' '; fill();
      sysopen(my $reading, 'file', O_RDONLY | O_TRUNC); print -s 'file' || 0, ' '; fill();
      sysopen(my $neither, 'file', 3 | O_TRUNC); print -s 'file' || 0, ' '; fill();
      open(my $writing, '+<', 'file'); truncate($writing, 0); print -s 'file' || 0;
      """
    #expect(try output(of: script, isSandboxed: isSandboxed) == (isSandboxed ? "7 7 7 0" : "0 0 0 0"))
  }

  /// Outside of the sandbox, a setuid program of root would give its rights to everybody. 452 is `fchmodat2`, which
  /// older systems lack.
  @Test(arguments: [true, false]) func noProgramBecomesSetuidOrSetgid(isSandboxed: Bool) throws {
    let script = """
      umask 0; my $name = 'file';
      sub mode { my $mode = (stat $_[0])[2]; printf '%o ', $mode & 07777; unlink $_[0] }
      for my $bits (04711, 02711, 0711) {
        for my $set (sub { chmod $bits, 'file' }, sub { chmod $bits, $_[0] },
                     sub { syscall(\(Self.numbers.fchmodat), -100, $name, $bits) },
                     sub { syscall(452, -100, $name, $bits, 0) == 0 or chmod $bits, 'file' }) {
          sysopen(my $file, 'file', O_CREAT | O_WRONLY, 0600); $set->($file); mode('file');
        }
        sysopen(my $file, 'file', O_CREAT | O_WRONLY, $bits); mode('file');
        syscall(\(Self.numbers.mknodat), -100, $name, S_IFREG | $bits, 0); mode('file');
        print "\\n";
      }
      """
    func line(_ mode: String, _ created: String) -> String {
      Array(repeating: mode, count: 4).joined(separator: " ") + " \(created) \(created) \n"
    }
    #expect(
      try output(of: script, isSandboxed: isSandboxed)
        == (isSandboxed ? line("600", "0") + line("600", "0") : line("4711", "4711") + line("2711", "2711"))
        + line("711", "711"))
  }

  /// The user's keyring and sockets to a virtual machine's host are in no namespace, so a filter has to block them.
  @Test func keysAndSocketsOutsideOfTheSandboxAreOutOfReach() throws {
    let script = """
      my ($type, $key) = ('user', 'a');
      sub says { print $_[0] >= 0 ? 'works' : $!{ENOSYS} ? 'missing' : $!{EAFNOSUPPORT} ? 'unsupported' : $!, ' ' }
      says(syscall(\(Self.numbers.keyctl), 0, -4, 1)); says(syscall(\(Self.numbers.addKey), $type, $key, $key, 1, -4));
      says(syscall(\(Self.numbers.requestKey), $type, $key, 0, 0));
      says(socket(my $socket, $_, 1, 0) ? 0 : -1) for (40, 38, 1, 2);
      """
    #expect(try output(of: script, isSandboxed: true) == "missing missing missing unsupported unsupported works works ")
  }

  /// Runs a Perl script in an empty working directory, and returns what it prints.
  private func output(of script: String, isSandboxed: Bool) throws -> String {
    let folder = try TemporaryFolder()
    let output = try OwnDescriptor.unnamedFile()
    let nothing = try OwnDescriptor.empty()
    let process = withCStrings(["perl", "-e", "use Fcntl ':DEFAULT', ':mode'; use Errno; " + script]) { arguments in
      withCStrings([]) { environment in
        withCStrings(["/usr/bin/perl", folder.path]) { paths in
          var program = process_control_program()
          (program.path, program.folder) = (UnsafePointer(paths[0]), UnsafePointer(paths[1]))
          (program.arguments, program.environment) = (arguments, environment)
          program.descriptors = (nothing.number, output.number, nothing.number, -1)
          (program.is_foreign, program.wall, program.is_sandboxed) = (true, -1, isSandboxed)
          return process_control_start(&program)
        }
      }
    }
    var status: Int32 = -1
    #expect(process > 0 && waitpid(process, &status, 0) == process && status == 0)
    return String(decoding: output.bytes(from: 0, atMost: 1_000), as: UTF8.self)
  }
}
