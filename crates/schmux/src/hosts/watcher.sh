# Follows the status and events files of a host's sessions, and prints a frame
# for each that has changed. Before this text come DIR (our own directory here),
# NONCE and one `set --` with the workspaces.
trap '' PIPE
printf '%s\n' "$NONCE" >"$DIR/watcher"
frame() { printf '%sSIGNAL__%s__END__\n' __SCHMUX_ "$*"; }
hex() { od -An -v -tx1 | tr -d ' \n'; }
NL='
'
# Inode, size and time of files, with their names. What can't tell the time of
# a file tells what is in it instead.
if stat -c '%i %s %.9Y %n' / >/dev/null 2>&1; then
	look() { stat -c '%i %s %.9Y %n' "$@" 2>/dev/null; }
	case $(look /) in *.*' /') ;; *) look() { stat -c '%i %s %Y %n' "$@" 2>/dev/null; } ;; esac
elif stat -f '%i %z %Fm %N' / >/dev/null 2>&1; then
	look() { stat -f '%i %z %Fm %N' "$@" 2>/dev/null; }
else
	look() {
		for file in "$@"; do
			[ -f "$file" ] || continue
			inode=$(ls -di -- "$file" | sed 's/^ *\([0-9]*\) .*/\1/')
			sum=$(cksum <"$file")
			printf '%s %s %s %s\n' "$inode" "${sum#* }" "${sum% *}" "$file"
		done
	}
fi

# Sends the file of a line that `look` gave.
send() {
	rest=$1
	inode=${rest%% *} rest=${rest#* }
	size=${rest%% *} rest=${rest#* }
	time=${rest%% *} file=${rest#* }
	[ -f "$file" ] && [ ! -L "$file" ] || return
	name=${file##*/} dir=${file%/*}
	case $name in *[!A-Za-z0-9_.-]*) return ;; esac
	kind=${dir##*/} root=${dir%/.schmux/*}
	number=0
	for workspace in $WORKSPACES; do
		[ "$workspace" = "$root" ] && break
		number=$((number + 1))
	done
	start=0 most=65536
	if [ "$kind" = events ]; then
		name=${name%.jsonl}
		# With some of what was sent before, so that it can be compared.
		old=$(size_of "$file")
		if [ "$old" -gt 600 ] && [ "$old" -le "$size" ]; then
			start=$((old - 600))
		elif [ "$size" -gt 8192 ]; then
			start=$((size - 8192))
		fi
	else
		kind=status
	fi
	bytes=$(tail -c +$((start + 1)) "$file" | head -c "$most" | hex)
	# A write in between: the next look finds it.
	[ "$(look "$file")" = "$1" ] || return
	frame "$kind $number $name $inode $size $time $start $((${#bytes} / 2)) ${bytes:--}"
}

# The size that a file had when it was sent last.
size_of() {
	printf '%s\n' "$SEEN" | while IFS= read -r line; do
		rest=${line#* * }
		[ "${rest#* }" = "$1" ] || continue
		rest=${line#* }
		echo "${rest%% *}"
		break
	done | { read -r size || size=0; echo "$size"; }
}

SEEN=
scan() {
	files=$(look $PLACES)
	[ "$files" != "$SEEN" ] || return 0
	printf '%s\n' "$files" | while IFS= read -r line; do
		case $NL$SEEN$NL in *"$NL$line$NL"*) continue ;; esac
		[ -n "$line" ] && send "$line"
	done
	SEEN=$files
}

# Names may hold blanks, but no line breaks.
IFS=$NL
WORKSPACES= PLACES= DIRS=
for workspace in "$@"; do
	WORKSPACES=$WORKSPACES$workspace$NL
	for kind in signal events; do
		dir=$workspace/.schmux/$kind
		PLACES=$PLACES$dir/'*'$NL
		[ -d "$dir" ] && [ ! -L "$dir" ] && DIRS=$DIRS$dir$NL
	done
done

if command -v inotifywait >/dev/null 2>&1 && [ -n "$DIRS" ]; then
	frame "watching notified"
	pause=2
else
	frame "watching polling"
	pause=1
fi
{
	notices=
	if [ $pause = 2 ]; then
		inotifywait -q -m -e close_write -e moved_to --format x $DIRS 2>/dev/null &
		notices=$!
	fi
	while echo; do sleep $pause; done 2>/dev/null
	[ -z "$notices" ] || kill "$notices" 2>/dev/null
} | while read -r notice; do
	# Another one has taken over.
	read -r owner <"$DIR/watcher" 2>/dev/null
	[ "$owner" = "$NONCE" ] || exit 0
	scan
done
