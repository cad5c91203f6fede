# Linux with everything that springbench builds with, for machines that have none, such as a Mac:
#
#   docker build -t springbench .
#   docker run --rm -it -v "$PWD:/package" springbench make bench
#
# Figures from the virtual machine of a container engine compare with each other, not with those of other machines.
FROM swift:6.3-bookworm
RUN apt-get update \
  && apt-get install -y --no-install-recommends make git pkg-config libjemalloc-dev python3 valgrind \
  && rm -rf /var/lib/apt/lists/*
# The folder that is mounted belongs to another user.
RUN git config --system --add safe.directory '*'
WORKDIR /package
