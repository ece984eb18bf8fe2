# make -j: as many tasks at once as you say.
#
#   make -f make.mk -j 2 COMMAND='build --max-pile 24 --length 6 --games end-nim'
#
# A statement that fails and an error look alike: make ends with 2 in both, and prints why.
# Started again it goes on: a task that is done is kept. Quote what is in COMMAND as for a shell.

COMMAND =
THREADS = 1
export PARTS RESULTS DB

HERE  := $(lastword $(MAKEFILE_LIST))
PLACE  = --file "$$tasks" --results "$$results" --db "$$db"

# The plan says how many tasks there are; so they are made by a make of its own.
.PHONY: all
all:
	@set -e; set -- $(COMMAND); . '$(dir $(HERE))tasks.sh'; \
	$(MAKE) --no-print-directory -f $(HERE) finish

NAMES = $(addprefix task-,$(shell seq 0 $(last)))

.PHONY: finish $(NAMES)
finish: $(NAMES)
	@grundy finish $(PLACE)

$(NAMES): task-%:
	@grundy task $(PLACE) --index $* --threads $(THREADS)
