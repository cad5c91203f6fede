"""The prose of docs/verdicts.md; names in braces are figures."""

BEFORE = """# Verdicts: springbench and the tools people use, on the same builds

```
make verdicts                              # builds, measures for two hours, writes this page
make verdicts ARGS="--minutes 60"          # so long, on top of what was measured before
make verdicts ARGS="--quick"               # some minutes: a look at whether everything works
make verdicts ARGS="--report"              # only writes this page again
make verdicts ARGS="--self-test"           # the tests of the judges' rules
```

`make verdicts` has pairs of builds judged by `springbench compare` and by what people use for that now, and \
counts who raises the alarm where nothing has changed, and who finds what has become slower. This page is written \
by that command from [results/verdicts](../results/verdicts): no figure in it is typed by hand.

Measured {days}: {trials} pairs, {each} of each kind under each condition; {no_ops} of them differ in nothing that \
runs. {machine}. springbench of commit {commit}.

{excerpt}
"""

WORDS = """A false alarm is a verdict of *slower* or *faster* where nothing that runs had changed; a slow-down is \
found where the verdict is *slower*. In parentheses the 95% interval (Wilson). Seconds are the median of a \
comparison, both builds together.
"""

CLAIM = """## A tenth of the false alarms, at no less power?

*Held* is where springbench raised at most a tenth of the other judge's false alarms, and found each size of \
slow-down at least as often; idle and busy together. A judge that calls unchanged builds slower also finds some \
slow-downs by chance; the column *by luck* says about how many.
"""

EDITS = """- **hot functions edited, nothing that runs**: {count} commits that add code which is never reached before the \
loops that are measured, so that these move inside their functions;
"""

METHOD = """## What was compared

Three functions do the work: `parse` reads decimal numbers from text, `springs` steps springs in two arrays, \
`sort` sorts groups of keys by insertion. A call of them takes {calls} and allocates nothing. Each trial compares \
one function in two builds; all judges see the same pair, one after the other.

A scratch repository has a commit for each variant on top of the base:

- **the same commit twice**: base and base;
- **linked in another order**: {links} commits that rename the source files, so that the same objects are linked in \
another order;
- **nothing that runs changed**: {unchanged} commits that add a comment, rename private functions, or add functions \
that nothing calls;
{edits}- **planted slow-downs**: one constant is edited, so that each call has 0.5, 1, 2, 5 or 10% more to do: more \
lines, more springs, more groups.

springbench builds the two revisions itself, as it does for its users, and links them anew for its comparison. The \
other judges get what `swift build -c release` makes of the same two commits, with the same library in each of their \
programs. What springbench finds to be the same program it does not measure, as always; that is most of what \
*the same commit twice* means for it.

Building is not part of the seconds, nor are springbench's link orders, which are kept with its builds. `--seconds \
{seconds}` bounds springbench's measuring; the others share {seconds} s between the two builds. Pairs under load run \
beside four loops in sessions of their own.

**Are the planted slow-downs true?** The instructions of a call were counted exactly (valgrind), and its time was \
measured in 60 turns of both programs, median of ratios. The base executes {instructions} instructions a call. The \
commits that change nothing that runs execute the same number within {difference}.
"""

SETTINGS = """## The judges and their settings

Versions: {tools}.

| judge | how it was set |
| --- | --- |
| `springbench compare` | as it comes, tolerance 1%, one function (`--filter`). The second row has `--tolerance 0.3%`, \
which its documentation names for changes of about 1% |
| `springbench compare RUN RUN`, `gate --baseline` | `run` of either build as `swift build` makes it, one after the other, defaults; two runs are shown, not judged, and a gate judges beside a baseline of five runs. Not bounded by the seconds |
| package-benchmark | `baseline update` for either build, then `baseline check`, whose status is the verdict; default \
thresholds (5% of p25, p50 and p75), wall clock only, since its other default metrics raise alarms of their own; \
inner loop of 1,000 calls (`scalingFactor: .kilo`), as it recommends for short functions; `maxDuration` half of the \
seconds. The plugin's tool was run without the plugin, which builds first and hides the status |
| hyperfine | whole commands of 100 ms, `--shell=none`, `--warmup 3`, as many runs as fit (at least 10); then Welch's \
test at p < 0.05, which is what its own `scripts/welch_ttest.py` computes |
| pyperf | 20 processes with a warm-up and 3 values each, its defaults; the values are shorter than its default of \
100 ms, so that they fit. The times are the program's own, handed over through pyperf's interface, since `pyperf \
command` would spend most of the seconds on starting Python; `compare_to` gives the verdict |
| benchstat | 10 values of each build, as it recommends, in two runs one after the other; the verdict is that of its \
test (Mann and Whitney's U, exact, two-sided, α = 0.05), computed here, not by its program |
| github-action-benchmark | the mean of the same two runs; `alert-threshold: 110%`. Its default is 200%. It knows no \
improvement, so it can raise only half of the false alarms that the others can |
"""

LIMITS = """Percentiles, ratios and p-values of all trials are kept, so that any other rule can be tried on them.

## Limits

- One machine, one compiler, three functions of some microseconds. Commands that run for seconds \
suffer less from where code lies, and have other troubles.
- The trials of one cell share their pairs of builds, so that what one unlucky pair does counts several times; the \
intervals are too narrow for that.
- springbench's workers run at a higher priority where that is permitted, as here (root); nobody else's \
documentation recommends that, so the others ran without.
- The tools that compare two separate runs could be run in turns by a script of their user. As documented, they are \
not.
"""
