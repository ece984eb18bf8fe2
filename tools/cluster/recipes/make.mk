# make -j N runs N tasks in parallel.
#
#   make -f make.mk -j 2 COMMAND='build --max-pile 24 --length 6 --games end-nim'
#
# make ends with exit code 2 after an error or if a statement fails, and prints the reason. The same
# command continues a stopped run and keeps finished tasks. Quote words in COMMAND as for a shell.

COMMAND =
THREADS = 1
export PARTS RESULTS DB

HERE  := $(lastword $(MAKEFILE_LIST))
PLACE  = --file "$$tasks" --results "$$results" --db "$$db"

# The number of tasks is known only when the plan exists, so a second make runs the tasks.
.PHONY: all
all:
	@set -e; set -- $(COMMAND); . '$(dir $(HERE))tasks.sh'; \
	$(MAKE) --no-print-directory -f $(HERE) finish

NAMES = $(addprefix task-,$(shell seq 0 $(last)))

.PHONY: finish $(NAMES)
finish: $(NAMES)
	@grundy finish $(PLACE)

# A task may build on the work of another one.
$(foreach pair,$(shell cat "$${after:-/dev/null}"),$(eval task-$(word 1,$(subst :, ,$(pair))): task-$(word 2,$(subst :, ,$(pair)))))

$(NAMES): task-%:
	@grundy task $(PLACE) --index $* --threads $(THREADS)
