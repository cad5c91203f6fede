"""The text of docs/verdicts.md. Names in braces stand for figures."""

BEFORE = """# Verdicts: springbench and the tools people use, on the same builds

This page is for you if you doubt a verdict of springbench, or choose between tools. `springbench compare` and the \
usual tools judged the same pairs of builds. The changes between the builds resemble those of real commits. The table \
counts each tool's false alarms, and the changes for the worse that it found.

These measurements were made on {days}. Each of the {trials} pairs consists of a build of the unchanged program (the \
*base*) and a build of a commit that edits it.{left_out} Machine: {machine}. springbench was built from commit \
{commit}.

{excerpt}
"""

WORDS = """A false alarm is a verdict of *slower* or *faster* on a pair in which nothing that runs had changed. \
springbench has found a change if it reports the right kind of figure as worse, such as heap growth for a leak. Every \
other judge has found it if it says *slower*.

`6/7` means that 6 of 7 changes were found, and parentheses contain the 95% interval of this share (Wilson). Seconds \
are the median time of a comparison, for both builds together. In the tables below, a cell has one count for each \
length of a frame, in the order of the second column.
"""

COMMANDS = """## Measuring it again

These commands are for people who work on SpringBench. `make verdicts` makes the corpus, lets all tools judge it, and \
writes this page from [results/verdicts](../results/verdicts): no figure on it is typed by hand.

```
make verdicts ARGS="--rounds 1"            # builds, judges every kind once at each of its lengths: 67 minutes when idle
make verdicts ARGS="--minutes 60"          # measures for an hour, and adds to earlier results
make verdicts ARGS="--quick"               # a few minutes, to see whether everything works
make verdicts ARGS="--build"               # builds, and shows what each kind really changes
make verdicts ARGS="--report"              # only writes this page again
make verdicts ARGS="--self-test"           # the tests of the judges' rules
```
"""

PLACES = """The column *right frames* counts how often springbench named the right frames, among the changes that it \
found. The frames that it names count as right if their Jaccard index with the frames that the change touches is at \
least 0.7. This index is the number of frames in both sets, divided by the number of frames in at least one of them.
"""

MISSED = """## What springbench missed
"""

CLAIM = """## A tenth of the false alarms, at no less power?

The claim is that springbench raises at most a tenth as many false alarms as another judge, and finds the changes of \
each group in the first table at least as often. The column *springbench compare* says whether the claim *held* \
against that judge. A judge that calls unchanged builds slower also calls some changed builds slower by chance. The \
column *by chance* shows how many that would be at its rate of false alarms.
"""

METHOD = """## What was compared

Three flings scroll a feed of posts, in 1,200 frames. Each frame moves the list, steps the springs of its rows, looks \
up which posts are liked, makes the rows, and draws a shadow. When a post comes near the screen, its picture is \
made.

There are seven workloads, which differ in the length of a frame: {lengths}. The number of posts on screen decides \
the length. In the last workload (0.25 and 25 µs), new posts come in every tenth frame, which then takes 25 µs \
instead of 0.25. The sources are in `Benchmarks/Verdicts/Sources/Work`.

The *base* is the unchanged program. For each kind of change, a scratch repository has a commit that edits a line or \
a few of the base; `Benchmarks/Verdicts/Judging/kinds.py` lists the edits. All judges compare the same two builds, \
that of the base and that of the commit, one judge after the other. The base is the baseline. If a commit changes \
nothing that runs, the commit is the baseline in about every second pair.

springbench builds the two revisions itself, as it does for its users, and links them again for its comparison. The \
other judges get programs that `swift build -c release` makes from the same two commits. All of them link the same \
library, `Work`. springbench judges single frames and the heap. The other tools time the whole scroll.

The column *seconds* of the first table does not include building. For springbench, it includes linking both builds \
with their functions in many orders, which happens in the first comparison of a pair. springbench measures for at \
most {seconds} s (`--seconds {seconds}`). The other tools spend {seconds} s on both builds together, but take at \
least four scrolls of each.
"""

TRUTHS = """## Are the changes true?

If the compiler undoes an edit, the two builds do the same work. So each pair was also measured without the judges. A \
pair is not counted if its commit should change a figure but hardly does. For times, a separate loop ran the two \
programs in turns, and took the minimum of each frame that this kind of change affects. valgrind counted the \
allocations, bytes, leaks and instructions of one scroll.
"""

SETTINGS = """## The judges and their settings

The tools had these versions: {tools}.

| judge | how it was set |
| --- | --- |
| `springbench compare` | as it comes, one scenario (`--filter`) |
| package-benchmark | a benchmark of one scroll; `baseline update` for either build, then `baseline check`, with its \
default thresholds (5% of p25, p50 and p75); `maxDuration` half of the seconds. The first row judges wall clock \
alone. The second uses the exit status of the check, over all its default metrics here: peak memory, processor time \
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

LIMITS = """The percentiles, ratios and p-values of all comparisons are kept in `results/verdicts`, so that any \
other rule can be tried on them.

## Limits

- All verdicts come from one machine, one compiler and one scenario. The kinds and sizes of changes were chosen by hand.
- Some pairs of builds are judged several times, and each verdict counts in the error rates. So a pair that happens to \
get a false verdict can get several. The intervals of the rates treat the verdicts as independent, so they are too \
narrow.
- springbench raises the priority of its processes where that is permitted. It was permitted here, because springbench \
ran as root. The other tools ran at normal priority, because their documentation does not recommend another one.
- Some of the other tools compare two separate runs, between which the machine may slow down. A script could \
alternate between such runs, but the documentation of these tools does not recommend that.
"""
