# The editor of schmux's sessions on this host. It is the user's own, with the
# same arguments, unless a message is being delivered in this session and the
# agent itself has called: then the daemon decides, through the connection that
# it has to this host, what the file holds. Before this text comes DIR.
#
# While it asks it has the terminal, so it reads what the human types and hands
# it on. In any doubt the file stays as it is and the exit code is 0: some
# agents take the file whatever the code says.

own() {
	for editor in "$SCHMUX_VISUAL" "$SCHMUX_EDITOR" vi vim nano editor; do
		program=${editor%% *}
		[ -n "$program" ] || continue
		case $editor in vi | vim | nano | editor) command -v "$editor" >/dev/null 2>&1 || continue ;; esac
		# Gemini CLI gives `-i NONE` to everything with `vi` in its path; only vi
		# and its kin understand it.
		case ${program##*/} in
		*vi*) ;;
		*) [ "$1" != -i ] || [ "$2" != NONE ] || shift 2 ;;
		esac
		# The variable may hold arguments and quotes.
		eval "exec $editor \"\$@\""
	done
	echo "schmux edit: no editor is found here. Set EDITOR to an editor of yours" >&2
	exit 1
}

# The seconds from one file to another. Both are dated by the same clock, whatever
# the clocks of this host and of the daemon say, and whenever they are set.
between() {
	set -- $({ stat -c %Y "$@" || stat -f %m "$@"; } 2>/dev/null)
	# What can't be told is no time at all.
	if [ $# -eq 2 ]; then echo $(($2 - $1)); else echo 0; fi
}

place=$DIR/launches/$SCHMUX_SESSION_ID
lasts= ticket=
[ -z "$SCHMUX_SESSION_ID" ] || read -r lasts ticket 2>/dev/null <"$place/ticket"
case $lasts in '' | 0 | *[!0-9]*) own "$@" ;; esac
: >"$place/now"
[ "$(between "$place/ticket" "$place/now")" -le "$lasts" ] || own "$@"

# Parent, group, session and foreground group of a process, and the first words
# of its command line, one a line.
look() {
	if [ -r "/proc/$1/stat" ]; then
		words=$(tr '\0' '\n' <"/proc/$1/cmdline" 2>/dev/null | head -n 3)
		read -r line 2>/dev/null <"/proc/$1/stat" || return 1
		set -- ${line##*) }
		parent=$2 group=$3 leader=$4 front=$6
	else
		line=$(ps -o ppid= -o pgid= -o tpgid= -o args= -p "$1" 2>/dev/null) || return 1
		set -- $line
		parent=$1 group=$2 front=$3
		shift 3
		words=$(printf '%s\n' "$@" | head -n 3)
		leader=$(tmux display-message -p -t "$TMUX_PANE" '#{pane_pid}' 2>/dev/null)
	fi
}

# EDITOR reaches everything that runs below the agent. The agent is the first
# process of the pane, or one that is called like it; between it and us there
# are shells at most. What isn't known is a tool.
is_agent() {
	[ -t 0 ] && [ -t 1 ] || return 1
	pid=$PPID
	for above in 1 2 3 4 5 6; do
		look "$pid" || return 1
		program=${words%%
*}
		program=${program##*/}
		shell=no
		case ${program#-} in
		sh | bash | zsh | fish | dash | ash | ksh | mksh | tcsh | csh | nu | elvish | xonsh | pwsh) shell=yes ;;
		esac
		if [ "$pid" = "$leader" ]; then
			[ $shell = yes ] || return 0
		elif [ $shell = yes ]; then
			pid=$parent
			continue
		fi
		for word in $words; do
			case " $SCHMUX_PROGRAMS " in *" ${word##*/} "*) return 0 ;; esac
		done
		return 1
	done
	return 1
}
is_agent || own "$@"

for file in "$@"; do :; done
# A longer text than this is no draft.
[ -f "$file" ] && [ "$(wc -c <"$file")" -le 100000 ] || exit 0
mask=$(umask)
umask 077
rm -f "$place/gone"
nonce=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
call=$place/edit-$nonce
new=$file.schmux-$$
before=
give_back() {
	[ -z "$before" ] || stty "$before" </dev/tty 2>/dev/null
	before=
	rm -f "$call.call" "$call.do" "$call.new" "$new"
}
trap give_back EXIT
trap 'exit 0' HUP INT TERM
hex() { od -An -v -tx1 | tr -d ' \n'; }
# Whoever sets the modes of a terminal from the background is stopped.
if look $$ && [ "$group" = "$front" ] && before=$(stty -g </dev/tty 2>/dev/null); then
	# From now on keys come to us and not as signals; a read never waits.
	stty raw -echo min 0 time 0 </dev/tty 2>/dev/null
fi

# Has the file of a frame printed where the daemon listens. Opened for both, a
# pipe that nobody reads doesn't hold us.
announce() {
	[ ! -p "$DIR/calls" ] || printf '%s\n' "$SCHMUX_SESSION_ID/${1##*/}" 1<>"$DIR/calls"
}
frame() {
	printf '%sSIGNAL__%s__END__\n' __SCHMUX_ "$*"
}

# Says that we are about to exit. What was typed meanwhile stays here until the
# daemon has it: the way there may end at any moment.
say_end() {
	keys=
	[ -z "$before" ] || keys=$(head -c 65536 </dev/tty 2>/dev/null | hex)
	end=$call.end
	[ -z "$keys" ] || end=$call.kept
	set -- edited "$SCHMUX_SESSION_ID" "$1" "$2" $((${#keys} / 2)) "${keys:--}" "$nonce"
	# On a disk that is full there is the room of what has been read.
	{
		frame "$@" >"$end" || {
			rm -f "$call.call" "$call.do" "$call.new"
			frame "$@" >"$end"
		}
	} 2>/dev/null && announce "$end"
}

bytes=$(hex <"$file")
frame edit "$SCHMUX_SESSION_ID" "$nonce" $((${#bytes} / 2)) "${bytes:--}" >"$call.call" || exit 0
tries=0
until [ -s "$call.do" ]; do
	# Three seconds and a half; it is told again in case nobody listened.
	if [ $tries -ge 140 ]; then
		# For whoever listens next.
		frame unheard "$SCHMUX_SESSION_ID" "$ticket" >"$place/gone" && announce "$place/gone"
		# Codex throws away what was typed meanwhile; others read it behind the draft.
		# No call has this number.
		[ "$SCHMUX_AGENT" != codex ] || say_end 18446744073709551615 no
		exit 0
	fi
	[ $((tries % 25)) -ne 0 ] || announce "$call.call"
	tries=$((tries + 1))
	sleep 0.02 2>/dev/null || {
		sleep 1
		tries=$((tries + 49))
	}
done
read -r what number size <"$call.do"
wrote=no
case $what in
human)
	give_back
	umask "$mask"
	own "$@"
	;;
write)
	# All of it or nothing.
	[ "$size" -eq 0 ] && : >"$call.new"
	if cat "$call.new" >"$new" && [ "$(wc -c <"$new")" -eq "$size" ] && mv -f "$new" "$file"; then
		wrote=yes
	fi 2>/dev/null
	;;
esac
say_end "$number" $wrote
exit 0
