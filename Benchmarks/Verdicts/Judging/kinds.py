"""The corpus: every kind of change that is judged, each a commit on top of one base.

To add a kind, add a `Kind` to the list of its group. An edit that finds nothing to change fails `--self-test`; one
that the compiler undoes is found by truths.py, and not counted.
"""

import os
from typing import Callable, NamedTuple

BASE = "base"

# The workloads of Sources/Work/Workload.swift, named by how long a frame takes.
NS200, US1, US5, US50, US500, MS5, LIVE = (
    "scroll-200ns", "scroll-1us", "scroll-5us", "scroll-50us", "scroll-500us", "scroll-5ms", "live")
WORKLOADS = {
    NS200: "0.2 µs", US1: "1 µs", US5: "5 µs", US50: "50 µs", US500: "500 µs", MS5: "5 ms",
    LIVE: "0.25 and 25 µs"}
FRAMES = range(1200)

# Groups of metrics in which springbench may find a change.
TIME = ("frameNanoseconds",)
ALLOCATIONS = ("allocationCount", "allocatedBytes")
HEAP = ("netBytes", "peakHeapBytes", "leftHeapBytes")
SET_UP = ("setUpNanoseconds", "setUpAllocationCount", "setUpAllocatedBytes")
THREADS = ("otherThreadCPUNanoseconds", "otherThreadAllocationCount", "otherThreadAllocatedBytes")

# The quantities by which truths.py measures a change, and the smallest amount that counts as a change.
LEAST = {
    "instructions": 0.0003,  # of a scroll, as a fraction
    "time": 0.01,  # of the frames that it touches, as a fraction
    "set-up time": 0.2, "tear-down time": 0.2,  # as fractions
    "time of other threads": 100_000,  # ns a scroll
    "allocations": 100, "bytes": 1_000, "bytes left": 1_000, "bytes of set-up": 1_000}  # a scroll

PLANTED, PLACED, CODE, MEMORY, ELSEWHERE, NO_OP = "planted", "placed", "code", "memory", "elsewhere", "no-op"
GROUPS = {
    PLANTED: "more work in every frame", PLACED: "more work in some frames", CODE: "code that costs more",
    MEMORY: "allocations and memory", ELSEWHERE: "outside the frames", NO_OP: "nothing that runs"}


class Kind(NamedTuple):
    """One commit on top of the base."""

    name: str
    group: str
    summary: str
    edit: Callable[[str], None]  # of a copy of Sources/Work
    workloads: tuple
    frames: Callable[[int], bool] = None  # which it touches; None: all, or not known beforehand
    truth: str = "time"
    shows: tuple = TIME
    missed: str = ""  # why springbench cannot see it, or not at some length

    @property
    def is_no_op(self):
        return self.group == NO_OP

    @property
    def has_place(self):
        """Whether springbench can say in which frames it is."""
        return self.frames is not None and set(TIME) <= set(self.shows)

    def touched(self):
        return [frame for frame in FRAMES if self.frames is None or self.frames(frame)]


def rewrite(folder, file, change):
    path = os.path.join(folder, f"{file}.swift")
    with open(path) as stream:
        text = stream.read()
    changed = change(text)
    if changed == text:
        raise ValueError(f"{path}: the edit finds nothing to change")
    with open(path, "w") as stream:
        stream.write(changed)


def replacing(file, *edits):
    """Pairs of old and new text; each old one occurs once."""
    def change(text):
        for old, new in edits:
            if text.count(old) != 1:
                raise ValueError(f"{file}.swift: {text.count(old)} places of: {old}")
            text = text.replace(old, new)
        return text
    return lambda folder: rewrite(folder, file, change)


def both(*edits):
    def edit(folder):
        for one in edits:
            one(folder)
    return edit


# More work: a part of the shadow is drawn again. Drawing the whole shadow is about half of a frame's work.

SHADOW_SHARE = 0.5
DRAW = "    shadow.draw(length)\n"


def shadow(percent, condition=None):
    """So much more of a frame, in the frames for which the condition holds."""
    thousandths = round(10 * percent / SHADOW_SHARE)
    whole, rest = divmod(thousandths, 1000)
    lines = ["shadow.draw(length)"] * whole + ([f"shadow.draw(length * {rest} / 1000)"] if rest else [])
    if condition:
        lines = [f"if {condition} {{ {line} }}" for line in lines]
    return replacing("Feed", (DRAW, DRAW + "".join(f"    {line}\n" for line in lines)))


def planted(percent, workloads):
    return Kind(f"planted-{percent:g}", PLANTED, f"every frame has {percent:g}% more to do", shadow(percent), workloads,
                truth="instructions",
                missed="The added work is near the tolerance of 1%, or below it." if percent < 2 else "")


PLANTED_KINDS = [
    planted(0.5, (US50,)), planted(1, (US50,)), planted(1.5, (US5,)), planted(2, (US50, MS5)), planted(5, (US1,)),
    planted(10, (NS200,))]

PLACED_KINDS = [
    Kind("late", PLACED, "the second half of the scroll is 10% slower", shadow(10, "number >= 600"),
         (US1, US500), lambda frame: frame >= 600),
    Kind("run-of-60", PLACED, "60 frames in a row are 10% slower", shadow(10, "(300..<360).contains(number)"),
         (US50,), lambda frame: 300 <= frame < 360),
    Kind("run-of-12", PLACED, "12 frames in a row are 30% slower", shadow(30, "(700..<712).contains(number)"),
         (US50,), lambda frame: 700 <= frame < 712),
    Kind("each-10th", PLACED, "each tenth frame is 5% slower", shadow(5, "number.isMultiple(of: 10)"),
         (US5,), lambda frame: frame % 10 == 0),
    Kind("each-60th", PLACED, "each sixtieth frame takes twice as long", shadow(100, "number.isMultiple(of: 60)"),
         (US5, US500), lambda frame: frame % 60 == 0),
    Kind("one-frame", PLACED, "one frame takes three times as long", shadow(200, "number == 777"),
         (US50, MS5), lambda frame: frame == 777),
    Kind("along", PLACED, "the farther the scroll, the slower: up to 10% at its end",
         replacing("Feed", (DRAW, DRAW + "    shadow.draw(length * number / 6_000)\n")), (US50,)),
    Kind("slow-diff", PLACED, "in each tenth frame, the new posts are compared five times",
         replacing("Feed", ("$0.countNew() : 0", "(0..<5).map { _ in arrival.countNew() }[0] : 0"),
                   ("arrivals.map { number", "arrivals.map { arrival in number")),
         (LIVE,), lambda frame: frame % 10 == 0),
    Kind("slower-diff", PLACED, "in each tenth frame, the new posts are put into a set twice",
         replacing("Arrivals", ("let known = Set(shown)", "let known = Set(shown).union(shown)")),
         (LIVE,), lambda frame: frame % 10 == 0),
]


def enters(frame):
    """Whether a post comes near the screen in this frame, as Feed.offset(_:) and move(to:) have it."""
    def first(number):
        left = 1 - (number % 400) / 400
        return int(100.0 * (number // 400 + 1 - left * left))
    return frame > 0 and first(frame) > first(frame - 1)


ROW_IN_LOOP = "      rows.append(row)\n"
ROWS = "    let rows = visibleRows(offset)\n"
LIKED = "let isLiked = liked.contains(post.id)"
POSTS = "    posts = Post.first(count)\n"


def field(line):
    """Of the feed, one more."""
    first = "  private var first = 0\n"
    return first, f"{first}  private {line}\n"


def importing(module):
    feed = "/// A feed of posts whose"
    return feed, f"import {module}\n\n{feed}"


CODE_KINDS = [
    Kind("linear-search", CODE, "the post that enters is looked for among all posts",
         replacing("Feed", ("    thumbnails.add(number)\n",
                            "    let id = posts[number].id\n"
                            "    thumbnails.add(posts.firstIndex { $0.id == id } ?? number)\n")),
         (US1, US500), enters, missed="In a frame of 500 µs the search is only a small part."),
    Kind("quadratic", CODE, "every row is compared with all rows above it",
         replacing("Feed", (ROW_IN_LOOP,
                            "      if rows.contains(where: { $0.index == row.index }) { continue }\n" + ROW_IN_LOOP)),
         (US5,)),
    Kind("contains-in-array", CODE, "the posts that are liked are in an array, not in a set",
         replacing("Feed", ("private let liked: Set<PostID>", "private let liked: [PostID]"),
                   ("liked = Set(posts.lazy.filter { $0.likes.isMultiple(of: 2) }.map(\\.id))",
                    "liked = posts.lazy.filter { $0.likes.isMultiple(of: 2) }.map(\\.id)")),
         (US5,)),
    Kind("bad-hash", CODE, "the hash of a post is that of its page",
         replacing("Post", ("dividingBy: 20) }\n",
                            "dividingBy: 20) }\n\n  func hash(into hasher: inout Hasher) { hasher.combine(page) }\n")),
         (US1,)),
    Kind("hash-again", CODE, "each post is looked up twice",
         replacing("Feed", (LIKED, "let isLiked = liked.contains(post.id) || liked.contains(post.id)")),
         (NS200,)),
    Kind("division", CODE, "the inner loop divides where it multiplied",
         replacing("Shadow", ("(level + pixels[index]) * fade", "(level + pixels[index]) / spread")), (US1,)),
    Kind("branches", CODE, "a counter is kept behind a branch that nothing predicts",
         replacing("Feed", field("var popular = [0]"),
                   (ROW_IN_LOOP, ROW_IN_LOOP + "      if post.likes & 4 == 0 { popular[0] += post.likes }\n")),
         (US50,)),
    Kind("cold-cache", CODE, "a post has a preview of a kilobyte, and posts are reached through an index",
         both(replacing("Post", ("  let likes: Int\n",
                                 "  let likes: Int\n  let preview = (SIMD64<Int>(), SIMD64<Int>())\n")),
              replacing("Feed", ("  private let posts: [Post]\n",
                                 "  private let posts: [Post]\n  private let places: [Int]\n"),
                        (POSTS,
                         "    let places = (0..<count).map { $0 * 7_919 % count }\n    self.places = places\n"
                         "    posts = zip(places, Post.first(count)).sorted { $0.0 < $1.0 }.map(\\.1)\n"),
                        ("let post = posts[first + slot]", "let post = posts[places[first + slot]]"))),
         (US500,)),
    Kind("lock", CODE, "a lock is taken for each row",
         replacing("Feed", importing("Synchronization"), field("let lock = Mutex(())"),
                   (LIKED, "let isLiked = lock.withLock { _ in liked.contains(post.id) }")),
         (NS200, US50)),
    Kind("casts", CODE, "each row is drawn if a cast says that it can be",
         replacing("Feed", ("for row in rows { row.draw(into: &picture) }",
                            "for row in rows as [Any] { (row as? any Drawable)?.draw(into: &picture) }")),
         (US1,)),
    Kind("formatting", CODE, "the label of a row is formatted in every frame",
         replacing("Feed", ("let label = post.likesText", "let label = \"\\(post.likes) likes\"")), (US5,)),
    Kind("sorting", CODE, "rows that are in order are sorted in every frame",
         replacing("Feed", (ROWS, "    let rows = visibleRows(offset).sorted { $0.index < $1.index }\n")),
         (US50,)),
    Kind("debug-check", CODE, "a check of all rows was left in",
         replacing("Feed", (ROWS, ROWS + "    precondition(zip(rows, rows.dropFirst())"
                                  ".allSatisfy { $0.index < $1.index })\n")),
         (US50,)),
    Kind("no-early-exit", CODE, "rows that are not on screen are prepared too",
         replacing("Feed", ("      guard screen.contains(slot) else { continue }\n", ""),
                   (ROW_IN_LOOP, "      if screen.contains(slot) { rows.append(row) }\n")),
         (NS200, US50)),
    Kind("file-read", CODE, "a small file is read in every frame",
         replacing("Feed", importing("Glibc"),
                   (ROWS, "    readSettings()\n" + ROWS),
                   ("  private func stepSprings() {",
                         "  private func readSettings() {\n"
                         "    guard let file = fopen(\"/proc/self/comm\", \"r\") else { return }\n"
                         "    _ = fgetc(file)\n    fclose(file)\n  }\n\n  private func stepSprings() {")),
         (US50,), shows=TIME + ALLOCATIONS),
    Kind("log-line", CODE, "a line of log is written in every frame",
         replacing("Feed", importing("Glibc"),
                   field("let log = open(\"/dev/null\", O_WRONLY)"),
                   (ROWS, "    _ = write(log, \"frame\\n\", 6)\n" + ROWS)),
         (US1,)),
]

MEMORY_KINDS = [
    Kind("more-bytes", MEMORY, "the array of rows has room for four screens",
         replacing("Feed", ("rows.reserveCapacity(screen.count)", "rows.reserveCapacity(4 * screen.count)")),
         (US50,), truth="bytes", shows=TIME + ALLOCATIONS + HEAP),
    Kind("more-calls", MEMORY, "the beginning of each caption is copied",
         replacing("Feed", ("Self.weight(post.caption.prefix(8))", "Self.weight(Array(post.caption.prefix(8)))")),
         (US1,), truth="allocations", shows=TIME + ALLOCATIONS),
    Kind("no-reserve", MEMORY, "the array of rows grows row by row",
         replacing("Feed", ("    rows.reserveCapacity(screen.count)\n", "")), (US50,), truth="allocations",
         shows=TIME + ALLOCATIONS),
    Kind("closure", MEMORY, "each row makes a closure for a tap on it",
         replacing("Feed", field("var onTap: (() -> Int)?"),
                   (ROW_IN_LOOP, ROW_IN_LOOP + "      onTap = { post.likes }\n")),
         (NS200, US50), truth="allocations", shows=TIME + ALLOCATIONS),
    Kind("existentials", MEMORY, "rows are kept as `any Drawable`",
         replacing("Row", ("typealias Cell = Row", "typealias Cell = any Drawable")), (US1,),
         truth="allocations", shows=TIME + ALLOCATIONS),
    Kind("copy-on-write", MEMORY, "the springs of the last frame are kept, so that the next one copies them",
         replacing("Feed", field("var before: [Spring] = []"),
                   ("    stepSprings()\n", "    before = springs\n    stepSprings()\n")),
         (US50,), truth="allocations", shows=TIME + ALLOCATIONS + HEAP),
    Kind("leak", MEMORY, "each frame adds an observer that nobody removes",
         replacing("Feed", field("var observers: [FadeIn] = []"),
                   (ROWS, "    observers.append(FadeIn())\n" + ROWS)),
         (NS200, US50), truth="bytes left", shows=HEAP + ALLOCATIONS + TIME),
    Kind("unbounded-cache", MEMORY, "the cache of pictures has no limit",
         replacing("Thumbnails", ("    if pictures.count > Self.limit { pictures[number - Self.limit] = nil }\n", "")),
         (US1,), enters, truth="bytes left", shows=HEAP + ALLOCATIONS),
    Kind("retain-cycle", MEMORY, "a closure holds the object that holds it",
         replacing("Feed", ("{ [weak fadeIn] in fadeIn?.finish() }", "{ fadeIn.finish() }")),
         (US50,), enters, truth="bytes left", shows=HEAP),
    Kind("heap", MEMORY, "set-up keeps a second copy of all posts",
         replacing("Feed", field("let undo: [Post]"),
                   (POSTS, POSTS + "    undo = posts.reversed()\n")),
         (US500,), truth="bytes of set-up", shows=HEAP + SET_UP),
]

ELSEWHERE_KINDS = [
    Kind("set-up", ELSEWHERE, "set-up makes the posts and the shadow twice",
         replacing("Feed", (POSTS, "    let preview = Post.first(count)\n"
                            "    posts = preview.isEmpty ? [] : Post.first(count)\n"),
                   ("    shadow = Shadow(",
                    "    let faint = Shadow(length: Self.shadowPerRow * workload.postsOnScreen, spread: 4)\n"
                    "    precondition(!faint.softened.isEmpty)\n    shadow = Shadow(")),
         (US50, US500), truth="set-up time", shows=SET_UP),
    Kind("tear-down", ELSEWHERE, "the posts are sorted before they are given up",
         replacing("Feed", ("  /// The whole scroll. Says",
                            "  deinit {\n    let best = posts.max { $0.likes < $1.likes }\n"
                            "    let sorted = posts.sorted { $0.likes < $1.likes }\n"
                            "    precondition(best != nil && sorted.count == posts.count)\n"
                            "  }\n\n  /// The whole scroll. Says")),
         (US500,), truth="tear-down time", shows=("tearDownNanoseconds",)),
    Kind("other-thread", ELSEWHERE, "impressions are noted on another thread",
         replacing("Feed", importing("Dispatch"),
                   field("let queue = DispatchQueue(label: \"impressions\")"),
                   ("    impressions.note(rows)\n",
                         "    queue.async { [impressions] in impressions.note(rows) }\n")),
         (US50,), truth="time of other threads", shows=TIME + ALLOCATIONS + THREADS),
]


# Changes that do not affect what the program executes.

def unused_function(statements):
    """A public function before all others, which stays in the program though nothing calls it."""
    lines = "".join(f"    total = total &* {3 + 2 * place} ^ (value >> {place % 13})\n" for place in range(statements))
    function = (
        "/// Nothing calls it.\npublic func unusedTotal(of values: [Int]) -> Int {\n  var total = 0\n"
        f"  for value in values {{\n{lines}  }}\n  return total\n}}\n\n")
    return lambda folder: rewrite(folder, "Arrivals", lambda text: function + text)


def renamed_files(order):
    """Files are compiled, and their objects linked, in the order of their names."""
    def edit(folder):
        for place, file in enumerate(order.split(), 1):
            os.rename(os.path.join(folder, f"{file}.swift"), os.path.join(folder, f"{place}-{file}.swift"))
    return edit


def reordered(text):
    """The frame stands before the scroll. Had only private functions moved, the machine code would stay the same."""
    start, middle, end = (text.index(mark) for mark in (
        "  /// The whole scroll.", "  /// One frame of the scroll.", "  /// Where the list has been scrolled to"))
    return text[:start] + text[middle:end] + text[start:middle] + text[end:]


def never_reached(statements):
    """A branch that is never taken, before the loops of the frame."""
    body = "".join(f"springs[{place + 1}].velocity = springs[{place}].displacement; " for place in range(statements))
    loop = "    for slot in springs.indices {\n      springs[slot].velocity -="
    return replacing("Feed", (loop, f"    if springs.count == 987_654_321 {{ {body}}}\n{loop}"))


def no_op(name, summary, edit, *workloads):
    return Kind(name, NO_OP, summary, edit, workloads)


NO_OP_KINDS = [
    no_op("comment", "a comment is added", lambda folder: rewrite(
        folder, "Shadow", lambda text: "// Two lines\n// more.\n" + text), US1),
    no_op("renamed-functions", "private functions have other names",
          both(lambda folder: rewrite(folder, "Feed", lambda text: text.replace("visibleRows", "rowsOnScreen")),
               lambda folder: rewrite(folder, "Feed", lambda text: text.replace("stepSprings", "advance"))), NS200),
    no_op("unused-1", "a function is added that nothing calls", unused_function(1), US1),
    no_op("unused-14", "a longer function is added that nothing calls", unused_function(14), US5),
    no_op("reordered", "functions stand in another order",
          lambda folder: rewrite(folder, "Feed", reordered), NS200, US50),
    no_op("renamed-files-1", "files have other names, so that they are linked in another order",
          renamed_files("Shadow Row Post Feed"), US1, US50),
    no_op("renamed-files-2", "the same, in a third order",
          renamed_files("Workload Thumbnails Arrivals Shadow"), NS200),
    no_op("never-reached-2", "a hot function gets code that is never reached", never_reached(2), US1),
    no_op("never-reached-9", "a hot function gets more code that is never reached", never_reached(9), US5),
]

KINDS = PLANTED_KINDS + PLACED_KINDS + CODE_KINDS + MEMORY_KINDS + ELSEWHERE_KINDS + NO_OP_KINDS


def named(name):
    return next(kind for kind in KINDS if kind.name == name)
