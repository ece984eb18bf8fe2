# make -j: as many tasks at once as you say.
#
#   make -f make.mk -j 2 COMMAND='build --max-pile 24 --length 6 --games end-nim'
#
# A statement that fails and an error look alike: make ends with 2 in both, and prints why.
# Started again it goes on: a task that is done is kept. Quote what is in COMMAND as for a shell.

COMMAND =
PARTS   = 64
RESULTS = results
DB      = db
THREADS = 1

HERE  := $(lastword $(MAKEFILE_LIST))
TASKS  =
PLACE  = --file $(TASKS) --results $(RESULTS) --db $(DB)

# The plan says how many tasks there are; so they are made by a make of its own. The file is named by
# the plan, so that two runs in one folder do not take each other's tasks.
.PHONY: all
all:
	@mkdir -p $(RESULTS); part=$(RESULTS)/TASKS.$$$$; trap 'rm -f "$$part"' EXIT; set -e; \
	grundy tasks $(COMMAND) --parts $(PARTS) > "$$part"; \
	plan=$$(sed -n '1s/.*"plan":"\([0-9a-f]*\)".*/\1/p' "$$part"); tasks=$(RESULTS)/TASKS-$$plan; \
	mv "$$part" "$$tasks"; last=$$(($$(wc -l < "$$tasks") - 1)); \
	$(MAKE) --no-print-directory -f $(HERE) finish TASKS="$$tasks" LAST=$$last

NAMES = $(addprefix task-,$(shell seq 0 $(LAST)))

.PHONY: finish $(NAMES)
finish: $(NAMES)
	@grundy finish $(PLACE)

$(NAMES): task-%:
	@grundy task $(PLACE) --index $* --threads $(THREADS)
