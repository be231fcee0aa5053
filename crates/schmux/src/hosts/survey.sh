# Prints the panes of tmux servers that the user runs without schmux, a line
# with two dashes and, if there are any panes, all processes with their first
# words. Before this text come FORMAT and NAMED: a socket's path or name, or
# nothing for all of them.
dir=${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)
case $NAMED in
'') set -- "$dir"/* ;;
*/*) set -- "$NAMED" ;;
*) set -- "$dir/$NAMED" ;;
esac
found=$(for socket in "$@"; do
	case $NAMED${socket##*/} in schmux*) continue ;; esac
	[ -S "$socket" ] && tmux -N -S "$socket" list-panes -a -F "$FORMAT" 2>/dev/null
done)
printf '%s\n--\n' "$found"
[ -n "$found" ] || exit 0
{ ps -A -o pid= -o ppid= -o args= 2>/dev/null || ps -o pid,ppid,args 2>/dev/null; } |
	awk '{ print $1, $2, $3, $4, $5 }'
