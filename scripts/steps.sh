# Runs named steps one after the other and sums them up. Meant to be sourced.
#
# A step that fails doesn't stop the next ones: one run shows all there is to mend.

step_rows=()
step_failed=0

# step NAME COMMAND…
step() {
	local name=$1 from=$SECONDS mark=ok
	shift
	printf '\n== %s\n' "$name"
	if ! "$@"; then
		mark=FAILED
		step_failed=1
	fi
	step_rows+=("$(printf '%-7s %4d s  %s' "$mark" $((SECONDS - from)) "$name")")
}

# steps_done WHAT: prints the summary and ends with 1 if a step failed.
steps_done() {
	printf '\n== %s: summary\n' "$1"
	printf '  %s\n' "${step_rows[@]}"
	if ((step_failed)); then
		printf '%s: FAILED\n' "$1"
		exit 1
	fi
	printf '%s: all passed in %d s\n' "$1" "$SECONDS"
}
