#!/bin/sh
# schmux, as far as an agent on this host needs it: `schmux hook` and `schmux
# signal` append to the session's events file, which the daemon follows from
# where it is. Written by schmux; it is renewed with every session.

[ -n "$SCHMUX_SESSION_ID" ] && [ -n "$SCHMUX_EVENTS_FILE" ] || exit 0

text() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g' | tr '\n\t' '  ' | tr -d '\000-\037'; }
new_id() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# One line, by one who has the lock: a long line takes several writes.
post() {
	file=$SCHMUX_EVENTS_FILE
	[ ! -L "$file" ] || exit 0
	mkdir -p "${file%/*}" || exit 0
	lock=${file%/*}/.lock-$SCHMUX_SESSION_ID
	tries=0
	until mkdir "$lock" 2>/dev/null; do
		tries=$((tries + 1))
		# Whoever has it that long was ended before it could let go.
		[ "$tries" -lt 20 ] || break
		sleep 0.1 2>/dev/null || sleep 1
	done
	printf '%s\n' "$1" >>"$file"
	rmdir "$lock" 2>/dev/null
}

# Gemini CLI tells of an end without an answer, and not whether it was stopped or
# has failed: that stands in its transcript, after the last message. A line there
# is an object.
ending() {
	path=$(printf '%s' "$1" | sed -n 's/.*"transcript_path" *: *"\([^"\\]*\)".*/\1/p')
	[ -f "$path" ] || return
	tail -c 65536 "$path" | awk '
		/"type": *"(user|gemini)"/ { n = 0; next }
		/"type": *"[a-z]+"/ && /^[{].*[}]$/ && length($0) < 4000 { line[n++] = $0 }
		END { for (i = n > 4 ? n - 4 : 0; i < n; i++) printf "%s%s", (some++ ? "," : ""), line[i] }'
}

case $1 in
hook)
	agent=$2 event=$3
	[ -z "$SCHMUX_AGENT" ] || [ "$SCHMUX_AGENT" = "$agent" ] || exit 0
	shift 3 2>/dev/null || exit 0
	if [ $# -gt 0 ]; then
		for payload in "$@"; do :; done
	elif [ -t 0 ]; then
		payload=
	else
		payload=$(head -c 1000000)
	fi
	payload=$(printf '%s' "$payload" | tr '\n\r' '  ')
	# A line may have 256 kB.
	case $payload in '{'*'}' | '{'*'} ') [ ${#payload} -lt 200000 ] || payload='{}' ;; *) payload='{}' ;; esac
	case $agent,$event in
	gemini,AfterAgent)
		ends=$(ending "$payload")
		[ -z "$ends" ] || payload="${payload%\}*},\"transcript_end\":[$ends]}"
		;;
	esac
	post "{\"type\":\"hook\",\"id\":\"$(new_id)\",\"session_id\":\"$SCHMUX_SESSION_ID\",\"agent\":\"$(text "$agent")\",\"event\":\"$(text "$event")\",\"ts\":\"$(now)\",\"payload\":$payload}"
	# What teaches the agent to signal, where it takes that from a hook.
	answer=${0%/bin/schmux}/answers/$agent-$event
	[ ! -f "$answer" ] || cat "$answer"
	# The user's own command goes last, with the same argument.
	if [ "$1" = --then ]; then
		shift
		exec "$@"
	fi
	;;
signal)
	shift
	state= message= details=
	while [ $# -gt 0 ]; do
		case $1 in
		--detail)
			details="$details,\"$(text "${2%%=*}")\":\"$(text "${2#*=}")\""
			shift
			;;
		--session) shift ;;
		--) ;;
		*) if [ -z "$state" ]; then state=$1; else message="$message${message:+ }$1"; fi ;;
		esac
		[ $# -gt 0 ] && shift
	done
	case $state in
	completed | needs_input | needs_testing | error | working) ;;
	*)
		echo "schmux: the states are completed, needs_input, needs_testing, error and working" >&2
		exit 2
		;;
	esac
	post "{\"ts\":\"$(now)\",\"type\":\"status\",\"state\":\"$state\",\"message\":\"$(text "$message")\",\"id\":\"$(new_id)\"$details}"
	;;
*)
	echo "schmux: on this host there are only \`schmux signal\` and \`schmux hook\`" >&2
	exit 1
	;;
esac
exit 0
