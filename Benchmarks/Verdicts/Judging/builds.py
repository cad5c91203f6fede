"""Builds every variant: a scratch repository with a commit for each, and the programs of each commit.

The repository holds this package alone. springbench lies beside it as a package of its own, so that it is compiled
once, and not for each revision.
"""

import hashlib
import os
import shutil
import subprocess
import sys

from variants import BASE, all_variants

TOP = ".build-verdicts"
PACKAGE = "Benchmarks/Verdicts"
# What a package that depends on springbench needs of it.
LIBRARY = ("Package.swift", "Sources/", "Benchmarks/Scenarios/", "Benchmarks/spring-benchmarks/")
DATE = "2020-01-01T00:00:00Z"
SUITE, PLAIN, BENCHMARK, TOOL = "verdicts-suite", "verdicts-plain", "VerdictsBenchmark", "BenchmarkTool"
RELEASE = "verdicts-suite-release"  # the suite as `swift build` makes it
SPRINGBENCH = "springbench"


def say(text):
    print(f"verdicts: {text}", file=sys.stderr, flush=True)


def digest(paths):
    """Sixteen digits that say what these files hold."""
    whole = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as stream:
            whole.update(path.encode() + b"\0" + hashlib.sha256(stream.read()).digest())
    return whole.hexdigest()[:16]


def update(path, text):
    """A file that is the same already keeps its time, so that nothing is compiled anew."""
    if os.path.exists(path):
        with open(path) as stream:
            if stream.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as stream:
        stream.write(text)


class Failure(Exception):
    """A command that failed, with what it said."""


def run(arguments, folder=None, statuses=(0,), **options):
    """Output of a command; throws `Failure`."""
    end = subprocess.run(
        arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if end.returncode not in statuses:
        said = (end.stdout[-2000:] + "\n" + end.stderr[-3000:]).strip()
        raise Failure(f"{' '.join(arguments)} ended with {end.returncode}:\n{said}")
    return end.stdout


def swift_build(product, *options):
    run([os.environ.get("SWIFT", "swift"), "build", "--configuration", "release", "--product", product, *options])


class Builds:
    """All below one folder, in the repository whose top is the current folder."""

    def __init__(self, top=TOP):
        self.top = os.path.abspath(top)
        self.springbench = f"{self.top}/springbench"
        self.package = f"{self.top}/repository"
        self.programs = f"{self.top}/programs"
        self.stores = f"{self.top}/stores"
        self.scratch = f"{self.top}/build"

    def git(self, folder, *arguments):
        identity = ["-c", "user.name=verdicts", "-c", "user.email=verdicts@localhost", "-c", "commit.gpgsign=false"]
        environment = dict(os.environ, GIT_COMMITTER_DATE=DATE)
        return run(["git"] + identity + list(arguments), folder, env=environment).strip()

    def program(self, variant, name):
        return f"{self.programs}/{variant}/{name}"

    # The scratch repositories.

    def write_repositories(self):
        """Says which revision of the sources this is."""
        listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0")
        paths = sorted(path for path in set(listed) if os.path.isfile(path))
        library = [path for path in paths if path.startswith(LIBRARY)]
        package = [path for path in paths if path.startswith(f"{PACKAGE}/") and "/Judging/" not in path]
        key = digest(library + package + [os.path.join(os.path.dirname(__file__), "variants.py")])
        mark = f"{self.top}/sources"
        if os.path.exists(mark) and open(mark).read() == key:
            return key
        say("writing a commit for each variant")
        self.write(self.springbench, {path: path for path in library})
        self.write(self.package, {path.removeprefix(f"{PACKAGE}/"): path for path in package})
        for variant in all_variants():
            self.git(self.package, "checkout", "--quiet", "--force", "--detach", BASE)
            variant.edit(f"{self.package}/Sources/Work")
            self.commit(self.package, variant.name)
        with open(mark, "w") as stream:
            stream.write(key)
        return key

    def write(self, folder, sources):
        """A repository whose base has these files: place in it → path of what is copied."""
        os.makedirs(folder, exist_ok=True)
        if not os.path.isdir(f"{folder}/.git"):
            self.git(folder, "init", "--quiet", "--initial-branch", "main")
        had_base = bool(self.git(folder, "tag", "--list", BASE))
        if had_base:
            self.git(folder, "checkout", "--quiet", "--force", "-B", "main", BASE)
        for path in filter(None, self.git(folder, "ls-files").split("\n")):
            if path not in sources and path != ".gitignore":
                os.remove(f"{folder}/{path}")
        for place, path in sources.items():
            with open(path) as stream:
                text = stream.read()
            if place == "Package.swift":
                text = text.replace('path: "../.."', 'path: "../springbench"')
            update(f"{folder}/{place}", text)
        update(f"{folder}/.gitignore", ".build/\nPackage.resolved\n")
        self.commit(folder, BASE, *(["--amend"] if had_base else []))

    def commit(self, folder, name, *options):
        """The same contents are always the same commit, and are not built again."""
        self.git(folder, "add", "--all")
        self.git(folder, "commit", "--quiet", "--allow-empty", "--message", name, "--date", DATE, *options)
        self.git(folder, "tag", "--force", name)

    # What users of the other tools build: `swift build` in release.

    def build(self, variants):
        for name in [BASE] + [one for one in variants if one != BASE]:
            commit = self.git(self.package, "rev-parse", name)
            mark = self.program(name, "commit")
            if os.path.exists(mark) and open(mark).read() == commit:
                continue
            say(f"building {name}")
            self.git(self.package, "checkout", "--quiet", "--force", name)
            products = [PLAIN, BENCHMARK, SUITE] + ([TOOL] if name == BASE else [])
            os.makedirs(f"{self.programs}/{name}", exist_ok=True)
            for product in products:
                swift_build(product, "--package-path", self.package, "--scratch-path", self.scratch)
                kept = RELEASE if product == SUITE else product
                shutil.copy(f"{self.scratch}/release/{product}", self.program(name, kept))
            with open(mark, "w") as stream:
                stream.write(commit)
        self.git(self.package, "checkout", "--quiet", "--force", BASE)

    # What springbench builds: revisions, each linked in many orders.

    def compare_arguments(self, variant, *options):
        return [
            self.program(BASE, SPRINGBENCH), "compare", BASE, variant, "--package-path", self.package, "--product",
            SUITE, *options]

    def build_revisions(self, variants):
        """Each once, and their link orders, so that no trial has to."""
        for name in [BASE] + [one for one in variants if one != BASE]:
            mark = f"{self.stores}/{name}.commits"
            commits = self.git(self.package, "rev-parse", BASE, name) + self.git(self.springbench, "rev-parse", BASE)
            if os.path.exists(mark) and open(mark).read() == commits:
                continue
            say(f"building revision {name} with springbench")
            self.use_store(name)
            if name == BASE:
                swift_build(SPRINGBENCH)
                shutil.copy(f".build/release/{SPRINGBENCH}", self.program(BASE, SPRINGBENCH))
                run([self.program(BASE, SPRINGBENCH), "build-revision", BASE, "--package-path", self.package,
                     "--product", SUITE])
            else:
                shutil.rmtree(f"{self.stores}/{name}", ignore_errors=True)
                run(["cp", "--archive", "--link", f"{self.stores}/{BASE}", f"{self.stores}/{name}"])
                # At no tolerance most times are suspects, so that the orders of confirmations are linked too.
                run(self.compare_arguments(name, "--tolerance", "0%", "--json"), statuses=(0, 2))
            with open(mark, "w") as stream:
                stream.write(commits)

    def use_store(self, variant):
        """springbench keeps 4 GiB of builds and link orders: less than all variants have. Each gets its own."""
        store = f"{self.stores}/{variant}"
        os.makedirs(store, exist_ok=True)
        link = f"{self.package}/.build/springbench/revisions/builds"
        os.makedirs(os.path.dirname(link), exist_ok=True)
        if os.path.isdir(link) and not os.path.islink(link):
            shutil.rmtree(link)
        new = f"{link}.new"
        if os.path.lexists(new):
            os.remove(new)
        os.symlink(store, new)
        os.replace(new, link)


def prepared(variants):
    """Builds of these variants, and the key of their sources."""
    builds = Builds()
    key = builds.write_repositories()
    builds.build(variants)
    builds.build_revisions(variants)
    return builds, key
