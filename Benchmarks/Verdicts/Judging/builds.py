"""Builds every variant: a scratch repository with a commit for each, and the programs of each commit."""

import hashlib
import os
import shutil
import subprocess
import sys

from variants import BASE, all_variants

TOP = ".build-verdicts"
PACKAGE = "Benchmarks/Verdicts"
DATE = "2020-01-01T00:00:00Z"
SUITE, PLAIN, BENCHMARK, TOOL = "verdicts-suite", "verdicts-plain", "VerdictsBenchmark", "BenchmarkTool"


def say(text):
    print(f"verdicts: {text}", file=sys.stderr, flush=True)


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


class Builds:
    """All below one folder, in the repository whose top is the current folder."""

    def __init__(self, top=TOP):
        self.top = os.path.abspath(top)
        self.repository = f"{self.top}/repository"
        self.package = f"{self.repository}/{PACKAGE}"
        self.programs = f"{self.top}/programs"
        self.stores = f"{self.top}/stores"
        self.scratch = f"{self.top}/build"

    def git(self, *arguments):
        identity = ["-c", "user.name=verdicts", "-c", "user.email=verdicts@localhost", "-c", "commit.gpgsign=false"]
        environment = dict(os.environ, GIT_COMMITTER_DATE=DATE)
        return run(["git"] + identity + list(arguments), self.repository, env=environment).strip()

    def program(self, variant, name):
        return f"{self.programs}/{variant}/{name}"

    # The scratch repository.

    def sources(self):
        """What git knows of this repository and would know of it, without what pages and results hold."""
        listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0")
        return sorted(
            path for path in set(listed)
            if path.split("/")[0] in ("Sources", "Tests", "Benchmarks", "Package.swift", ".gitignore")
            and not path.startswith(f"{PACKAGE}/Judging/") and os.path.isfile(path))

    def write_repository(self):
        """Says which revision of the sources this is."""
        digest = hashlib.sha256()
        paths = self.sources()
        for path in paths:
            with open(path, "rb") as stream:
                digest.update(path.encode() + b"\0" + hashlib.sha256(stream.read()).digest())
        with open(f"{os.path.dirname(__file__)}/variants.py", "rb") as stream:
            digest.update(stream.read())
        key = digest.hexdigest()[:16]
        mark = f"{self.top}/sources"
        if os.path.exists(mark) and open(mark).read() == key and os.path.isdir(f"{self.repository}/.git"):
            return key
        say("writing a commit for each variant")
        os.makedirs(self.repository, exist_ok=True)
        if not os.path.isdir(f"{self.repository}/.git"):
            self.git("init", "--quiet", "--initial-branch", "main")
        # Contents that did not change keep their times, so that little is compiled anew.
        if self.has(BASE):
            self.git("checkout", "--quiet", "--force", "-B", "main", BASE)
        wanted = set(paths)
        for path in filter(None, self.git("ls-files").split("\n")):
            if path not in wanted:
                os.remove(f"{self.repository}/{path}")
        for path in paths:
            self.copy(path)
        self.commit(BASE, *(["--amend"] if self.has(BASE) else []))
        for variant in all_variants():
            self.git("checkout", "--quiet", "--force", "--detach", BASE)
            variant.edit(f"{self.package}/Sources/Work")
            self.commit(variant.name)
        with open(mark, "w") as stream:
            stream.write(key)
        return key

    def has(self, name):
        return bool(self.git("tag", "--list", name))

    def copy(self, path):
        target = f"{self.repository}/{path}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(path, "rb") as stream:
            data = stream.read()
        if not os.path.exists(target) or open(target, "rb").read() != data:
            shutil.copy(path, target)

    def commit(self, name, *options):
        """The same contents are always the same commit, and are not built again."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", name, "--date", DATE, *options)
        self.git("tag", "--force", name)

    # What users of the other tools build: `swift build` in release.

    def build(self, variants):
        for name in [BASE] + [one for one in variants if one != BASE]:
            commit = self.git("rev-parse", name)
            mark = self.program(name, "commit")
            if os.path.exists(mark) and open(mark).read() == commit:
                continue
            say(f"building {name}")
            self.git("checkout", "--quiet", "--force", name)
            products = [PLAIN, BENCHMARK] + ([TOOL, SUITE] if name == BASE else [])
            os.makedirs(f"{self.programs}/{name}", exist_ok=True)
            for product in products:
                self.swift_build(product)
                shutil.copy(f"{self.scratch}/release/{product}", self.program(name, product))
            with open(mark, "w") as stream:
                stream.write(commit)
        self.git("checkout", "--quiet", "--force", BASE)

    def swift_build(self, product):
        run([os.environ.get("SWIFT", "swift"), "build", "--configuration", "release", "--package-path", self.package,
             "--scratch-path", self.scratch, "--product", product])

    # What springbench builds: revisions, each linked in many orders.

    def compare_arguments(self, variant, *options):
        return [
            self.program(BASE, SUITE), "compare", BASE, variant, "--package-path", self.package, "--product", SUITE,
            *options]

    def build_revisions(self, variants):
        """Each once, and their link orders, so that no trial has to."""
        for name in [BASE] + [one for one in variants if one != BASE]:
            mark = f"{self.stores}/{name}.commits"
            commits = self.git("rev-parse", BASE, name)
            if os.path.exists(mark) and open(mark).read() == commits:
                continue
            say(f"building revision {name} with springbench")
            self.use_store(name)
            if name == BASE:
                run([self.program(BASE, SUITE), "build-revision", BASE, "--package-path", self.package,
                     "--product", SUITE])
            else:
                run(["cp", "--archive", "--link", f"{self.stores}/{BASE}/.", f"{self.stores}/{name}"])
                # At no tolerance most times are suspects, so that the orders of confirmations are linked too.
                run(self.compare_arguments(name, "--tolerance", "0%", "--json"), statuses=range(0, 7))
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
    key = builds.write_repository()
    builds.build(variants)
    builds.build_revisions([one for one in variants])
    return builds, key
