# make -j: as many tasks at once as you say.
#
#   make -f make.mk -j 2 COMMAND='build --max-pile 24 --length 6 --games end-nim'
#
# Started again it goes on: a task that is done is kept. Quote what is in COMMAND as for a shell.

COMMAND =
PARTS   = 64
RESULTS = results
DB      = db
THREADS = 1

HERE  := $(lastword $(MAKEFILE_LIST))
TASKS  = $(RESULTS)/TASKS
PLACE  = --file $(TASKS) --results $(RESULTS) --db $(DB)

# The plan says how many tasks there are; so they are made by a make of its own.
.PHONY: all
all:
	@mkdir -p $(RESULTS)
	@grundy tasks $(COMMAND) --parts $(PARTS) > $(TASKS).part
	@mv $(TASKS).part $(TASKS)
	@$(MAKE) --no-print-directory -f $(HERE) finish LAST=$$(($$(wc -l < $(TASKS)) - 1))

NAMES = $(addprefix task-,$(shell seq 0 $(LAST)))

.PHONY: finish $(NAMES)
finish: $(NAMES)
	@grundy finish $(PLACE)

$(NAMES): task-%:
	@grundy task $(PLACE) --index $* --threads $(THREADS)
