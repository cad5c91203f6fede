"""The prose of docs/verdicts.md; names in braces are figures."""

BEFORE = """# Verdicts: springbench and the tools people use, on the same builds

```
make verdicts ARGS="--rounds 1"            # builds, judges every kind once at each of its lengths: about an hour
make verdicts ARGS="--minutes 60"          # so long, on top of what was measured before
make verdicts ARGS="--quick"               # some minutes: a look at whether everything works
make verdicts ARGS="--build"               # builds, and says what each kind really changes
make verdicts ARGS="--report"              # only writes this page again
make verdicts ARGS="--self-test"           # the tests of the judges' rules
```

`make verdicts` has a corpus of changes, as real commits make them, judged by `springbench compare` and by what \
people use for that now. It counts who raises the alarm where nothing has changed, and who finds what has become \
worse. This page is written by that command from [results/verdicts](../results/verdicts): no figure in it is typed \
by hand.

Measured {days}: {trials} pairs.{left_out} {machine}. springbench of commit {commit}.

{excerpt}
"""

WORDS = """A false alarm is a verdict of *slower* or *faster* where nothing that runs had changed. springbench has \
found a change if a figure regressed that is right for it, such as heap growth for a leak; each other judge if it \
says *slower*. In parentheses the 95% interval (Wilson). Seconds are the median of a comparison, both builds \
together. In the tables below, each cell has a count for each length of a frame, in their order.
"""

PLACES = """Frames are right if those which springbench names and those which the change touches have at least 0.7 of \
all of them in common (Jaccard's index). Only changes that it found count.
"""

MISSED = """## What springbench missed
"""

CLAIM = """## A tenth of the false alarms, at no less power?

*Held* is where springbench raised at most a tenth of the other judge's false alarms, and found changes of each \
group at least as often. A judge that calls unchanged builds slower also calls changed ones slower by chance. The \
column *by chance* says how many that would be at its rate of false alarms.
"""

METHOD = """## What was compared

A feed of posts is scrolled by three flings, in 1,200 frames. Each frame moves the list, steps the springs of its \
rows, looks up what is liked, makes the rows, and draws a shadow; where a post comes near the screen, a picture is \
made. The number of posts on screen decides how long a frame takes: {lengths} (the last: new posts come in each tenth \
frame). The sources are in `Benchmarks/Verdicts/Sources/Work`.

A scratch repository has a commit for each kind on top of the base, an edit of a line or a few; \
`Benchmarks/Verdicts/Judging/kinds.py` lists them. All judges see the same pair, one after the other. What changes \
nothing is judged in both directions, by turns.

springbench builds the two revisions itself, as it does for its users, and links them anew for its comparison. The \
other judges get what `swift build -c release` makes of the same two commits, with the same library in each of their \
programs. springbench judges single frames and the heap. The other tools time what they are given, which is the \
whole scroll.

Building is not part of the seconds; springbench's link orders are, in the first comparison of a pair. `--seconds \
{seconds}` bounds springbench's measuring; the others share {seconds} s between the two builds, or take four scrolls \
of each where these take longer. Pairs under load run beside four loops in sessions of their own.
"""

TRUTHS = """## Are the changes true?

An edit that the compiler undoes is no change. So each pair was looked at with other means than the judges', and \
what did not change is not counted. Times are of the frames that the kind touches, in a loop of their own, in turns \
of both programs: each frame's least. Allocations, bytes and what is left on the heap are those of one scroll, \
counted by valgrind, and so are instructions.
"""

SETTINGS = """## The judges and their settings

Versions: {tools}.

| judge | how it was set |
| --- | --- |
| `springbench compare` | as it comes, one scenario (`--filter`) |
| package-benchmark | a benchmark of one scroll; `baseline update` for either build, then `baseline check`, with its \
default thresholds (5% of p25, p50 and p75); `maxDuration` half of the seconds. The first row judges wall clock \
alone. The second is the status of the check, of all metrics that are its default here: peak memory, processor time \
and throughput too. It counts allocations only with a library that replaces the allocator, which was left out. The \
plugin's tool was run without the plugin, which builds first and hides the status |
| hyperfine | whole commands of at least 100 ms, set-up and tear-down included, `--shell=none`, `--warmup 3`, as many \
runs as fit; then Welch's test at p < 0.05, which is what its own `scripts/welch_ttest.py` computes |
| pyperf | 20 processes with a warm-up and 3 values each, its defaults, or as many as fit; the values are shorter than \
its default of 100 ms. The times are the program's own, handed over through pyperf's interface, since `pyperf \
command` would spend most of the seconds on starting Python; `compare_to` gives the verdict |
| benchstat | 10 values of each build, as it recommends, or as many as fit, in two runs one after the other; the \
verdict is that of its test (Mann and Whitney's U, exact, two-sided, α = 0.05), computed here, not by its program |
| github-action-benchmark | the mean of the same two runs; `alert-threshold: 110%`. Its default is 200%. It knows no \
improvement, so it can raise only half of the false alarms that the others can |
"""

LIMITS = """Percentiles, ratios and p-values of all trials are kept, so that any other rule can be tried on them.

## Limits

- One machine, one compiler, one scenario. Which kinds there are, and how large they are, was chosen by hand.
- The trials of a kind share their pair of builds, so that what one unlucky pair does counts several times; the \
intervals are too narrow for that.
- springbench's workers run at a higher priority where that is permitted, as here (root); nobody else's \
documentation recommends that, so the others ran without.
- The tools that compare two separate runs could be run in turns by a script of their user. As documented, they are \
not.
"""
