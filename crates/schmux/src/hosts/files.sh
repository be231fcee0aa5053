# Writes files of ours into a workspace and hides them from git. Before this
# text come ROOT, the workspace, and LOCK, a name for a directory; behind it
# comes one `put FILE OLD NEW` for each file. OLD is `-` for no file, or `+` and
# what it holds, as it was read before. A line is printed for each that is left
# alone.
cd "$ROOT" || exit 1
root=$(pwd -P)
tries=0
until mkdir "$LOCK" 2>/dev/null; do
	tries=$((tries + 1))
	# Whoever has it that long was ended before it could let go.
	[ "$tries" -lt 30 ] || break
	sleep 0.1 2>/dev/null || sleep 1
done
trap 'rmdir "$LOCK" 2>/dev/null' EXIT

# All worktrees of a repository share that file. An entry is two lines.
hide() {
	exclude=$(git rev-parse --git-path info/exclude 2>/dev/null) || return 0
	git check-ignore -q -- "$1" && return 0
	pattern=$(printf '/%s%s' "$(git rev-parse --show-prefix)" "$1" | sed 's/[][*?\\ ]/\\&/g')
	mkdir -p "${exclude%/*}"
	[ -z "$(tail -c 1 "$exclude" 2>/dev/null)" ] || echo >>"$exclude"
	printf '# schmux\n%s\n' "$pattern" >>"$exclude"
}

put() {
	was=-
	if [ -L "$1" ]; then
		echo "$1 is a link, and left alone"
		return
	elif [ -e "$1" ]; then
		# A shell drops the newlines at the end of what it takes in.
		was=$(cat "$1" && echo x)
		was=+${was%x}
	fi
	[ "$was" != "+$3" ] || return 0
	if [ "$was" != "$2" ]; then
		echo "$1 has just been changed, and is left alone"
		return
	fi
	case $1 in */*) dir=${1%/*} ;; *) dir=. ;; esac
	mkdir -p "$dir" 2>/dev/null
	real=$(cd "$dir" 2>/dev/null && pwd -P)
	case $real/ in
	"$root"/*) ;;
	*)
		echo "$1 leads out of the workspace, and is left alone"
		return
		;;
	esac
	new=$dir/.schmux-$$
	hide "$1"
	if ! printf %s "$3" >"$new"; then
		echo "$1 can't be written"
	elif [ "$was" = - ]; then
		ln "$new" "$1" || echo "$1 can't be written"
	else
		# In place, so that it keeps its mode and its other names.
		cat "$new" >"$1" || echo "$1 can't be written"
	fi 2>/dev/null
	rm -f "$new"
}
