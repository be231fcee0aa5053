# Runs at the far end of a connect command, read by sh from its stdin, and turns
# into tmux. Before this text come NONCE, INSTANCE, SOCKET, HUB, KEEP, CONF,
# RELAY and USERS: the socket of a server of the user's own, if that is meant.
# One group, so that a shell has read all of it before any of it runs.
{
	# What is meant for the connect command alone; some pass it on.
	unset TMUX TMUX_PANE SSH_ASKPASS SSH_ASKPASS_REQUIRE SCHMUX_ASK_FOR SCHMUX_HOME
	[ "$DISPLAY" != :schmux ] || unset DISPLAY
	# A terminal in between would echo and translate.
	stty raw -echo 2>/dev/null
	hex() { od -An -v -tx1 | tr -d ' \n'; }
	fact() {
		value=$(printf '%s' "$2" | hex)
		FACTS="$FACTS $1 ${value:--}"
	}
	# The mark is put together here, so that an echo of this text is no frame.
	ready() { printf '%sSIGNAL__ready %s%s__END__\n' __SCHMUX_ "$NONCE" "$FACTS"; }
	fail() {
		FACTS=
		fact error "$1"
		ready
		exit 1
	}
	yes_no() { if command -v "$1" >/dev/null 2>&1; then echo yes; else echo no; fi; }

	: "${LANG:=C.UTF-8}"
	export LANG
	login=${SHELL:-/bin/sh}
	# What a login shell prints besides doesn't count. PATH comes first: a shell
	# that knows no EDITOR may stop there.
	# What it has left running may hold its output open: that is not waited for.
	told=$("$login" -lc 'printf "\n__PATH__%s__PATH__\n" "$PATH"
		printf "__EDITOR__%s__EDITOR__\n" "$EDITOR"
		printf "__VISUAL__%s__VISUAL__\n" "$VISUAL"' </dev/null 2>/dev/null |
		sed '/__VISUAL__$/q')
	of() { printf '%s\n' "$told" | sed -n "s/.*__$1__\(.*\)__$1__.*/\1/p" | tail -n 1; }
	plain=$(command -v tmux 2>/dev/null)
	found=$(of PATH)
	PATH=${found:+$found:}$PATH
	export PATH
	# An account that isn't meant for people still runs agents.
	case $login in */false | */nologin) SHELL=/bin/sh && export SHELL ;; esac

	command -v tmux >/dev/null 2>&1 ||
		fail "tmux is not installed there (PATH is $PATH)"
	version=$(tmux -V 2>/dev/null)
	version=${version#tmux }
	number=${version#next-}
	major=${number%%.*}
	minor=${number#*.}
	minor=${minor%%[!0-9]*}
	case $major$minor in
	'' | *[!0-9]*) ;;
	*)
		if [ "$major" -lt 3 ] || { [ "$major" -eq 3 ] && [ "$minor" -lt 2 ]; }; then
			fail "tmux there is $version, and schmux needs 3.2 or later"
		fi
		;;
	esac

	# Scripts and answers are put there: there must be room for some.
	has_room() {
		head -c 65536 /dev/zero >"$1" 2>/dev/null && [ "$(wc -c <"$1")" -eq 65536 ]
		enough=$?
		rm -f "$1"
		return $enough
	}
	mask=$(umask)
	umask 077
	dir=
	for base in "${HOME:+$HOME/.schmux/from}" "${TMPDIR:-/tmp}/schmux-$(id -u)"; do
		[ -n "$base" ] && mkdir -p "$base/$INSTANCE/run" 2>/dev/null &&
			[ -O "$base/$INSTANCE" ] && has_room "$base/$INSTANCE/room.$$" &&
			printf '%s\n' "$CONF" >"$base/$INSTANCE/tmux.conf" 2>/dev/null &&
			[ -s "$base/$INSTANCE/tmux.conf" ] && dir=$base/$INSTANCE && break
	done
	[ -n "$dir" ] ||
		fail "neither ~/.schmux nor ${TMPDIR:-/tmp} can be written to there: is the disk full?"
	[ -n "$USERS" ] || rm -f "$dir"/run/*
	umask "$mask"

	# A second client that takes no output keeps agents from waiting for us when
	# the connection stalls: tmux then pauses our client instead.
	if [ -n "$USERS" ]; then
		# One that is not there is not started.
		set -- -N -u -S "$USERS"
		said=$(tmux "$@" list-sessions 2>&1 </dev/null) || fail "$said"
	else
		set -- -u -L "$SOCKET" -f "$dir/tmux.conf"
	fi
	# A server that runs knows the PATH of the day it was started.
	[ -n "$USERS" ] || tmux "$@" set-environment -g PATH "$PATH" </dev/null >/dev/null 2>&1
	# The hub is made before it comes: tmux 3.3a crashes if a session begins in the
	# moment in which a control client is let in.
	tmux "$@" has-session -t "=$HUB" </dev/null >/dev/null 2>&1 ||
		tmux "$@" new-session -d -s "$HUB" -x 80 -y 24 cat - </dev/null >/dev/null 2>&1
	tmux "$@" has-session -t "=$KEEP" </dev/null >/dev/null 2>&1 ||
		tmux "$@" new-session -d -s "$KEEP" -x 80 -y 24 \
			env TMUX= tmux "$@" -C attach -t "=$KEEP" -f no-output,ignore-size \
			</dev/null >/dev/null 2>&1

	# A client whose reader died under it can't say goodbye, and tmux would keep it,
	# and itself with it, for ever. What is attached now is of a connection that ended.
	[ -n "$USERS" ] || tmux "$@" list-clients -t "=$HUB" \
		-F '#{client_control_mode} #{client_pid}' </dev/null 2>/dev/null |
		while read -r control pid; do
			[ "$control" != 1 ] || kill -9 "$pid" 2>/dev/null
		done

	FACTS=
	fact tmux "$version"
	[ -n "$plain" ] || fact found "$(command -v tmux)"
	fact dir "$dir"
	fact home "${HOME:-/}"
	fact path "$PATH"
	fact editor "$(of EDITOR)"
	fact visual "$(of VISUAL)"
	fact system "$(uname -sm 2>/dev/null)"
	fact time "$(date +%s)"
	fact inotify "$(yes_no inotifywait)"
	fact git "$(yes_no git)"
	ready
	set -- tmux "$@" -C new-session -A -D -s "$HUB" \
		-f ignore-size,pause-after=1 -x 80 -y 24 cat -
	# A perl that is too old, or lacks its parts, is none. What it says about the
	# locale would be taken for the reason when the connection ends.
	case $(perl -e "$RELAY" tmux -V </dev/null 2>/dev/null) in
	%schmux-relay*"$version") exec env PERL_BADLANG=0 perl -e "$RELAY" "$@" ;;
	esac
	exec "$@"
}
