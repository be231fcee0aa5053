# Finds or makes a directory where agents work. Before this text come KIND
# (directory, worktree or clone), NAMED, BRANCH, URL, PROJECT, ROOT and TAIL.
# It prints the directory and what the project is called; an exit status above
# 10 says what is wrong.
die() {
	status=$1
	shift
	printf '%s\n' "$*" >&2
	exit "$status"
}
usable() {
	[ -e "$1" ] || die 11 "there is no directory $1"
	[ -d "$1" ] || die 12 "$1 is not a directory"
	[ -w "$1" ] && [ -x "$1" ] || die 13 "the directory $1 is not writable"
	cd "$1" && pwd -P
}
export GIT_TERMINAL_PROMPT=0 LC_ALL=C
: "${GIT_SSH_COMMAND:=ssh -oBatchMode=yes}"
export GIT_SSH_COMMAND
case $NAMED in
'' | '~') NAMED=$HOME ;;
'~/'*) NAMED=$HOME/${NAMED#??} ;;
/*) ;;
*) die 10 "$NAMED is no absolute path" ;;
esac
case $KIND in
directory)
	path=$(usable "$NAMED") || exit
	PROJECT=${path##*/}
	;;
clone)
	command -v git >/dev/null || die 20 "git is not installed there"
	mkdir -p "$ROOT" || die 13 "the directory $ROOT can't be made"
	path=$ROOT/$PROJECT-$TAIL
	git clone --quiet -- "$URL" "$path" || {
		rm -rf -- "$path"
		exit 21
	}
	;;
worktree)
	command -v git >/dev/null || die 20 "git is not installed there"
	base=$(usable "$NAMED") || exit
	cd "$base" || exit
	common=$(git rev-parse --git-common-dir 2>/dev/null) ||
		die 14 "$base is not in a git repository"
	common=$(cd "$common" && pwd -P)
	PROJECT=${common%/.git}
	PROJECT=${PROJECT##*/}
	PROJECT=${PROJECT%.git}
	git check-ref-format --branch "$BRANCH" >/dev/null 2>&1 ||
		die 15 "$BRANCH can't be a branch's name"
	git worktree prune
	path=$(git worktree list --porcelain | awk -v want="branch refs/heads/$BRANCH" '
		/^worktree / { at = substr($0, 10) }
		$0 == want { print at; exit }')
	if [ -n "$path" ]; then
		case $path in
		"$(cd "$ROOT" 2>/dev/null && pwd -P)"/*) ;;
		*) die 16 "branch $BRANCH is checked out at $path" ;;
		esac
	else
		mkdir -p "$ROOT" || die 13 "the directory $ROOT can't be made"
		path=$ROOT/$PROJECT-$TAIL
		if git rev-parse --verify --quiet "refs/heads/$BRANCH" >/dev/null; then
			git worktree add --quiet "$path" "$BRANCH" || exit 21
		else
			from=$(git for-each-ref --format='%(refname:short)' "refs/remotes/*/$BRANCH" | head -n 1)
			[ -n "$from" ] || git rev-parse --verify --quiet 'HEAD^{commit}' >/dev/null ||
				die 17 "the repository at $base has no commit yet"
			git worktree add --quiet -b "$BRANCH" "$path" "${from:-HEAD}" || exit 21
		fi
	fi
	;;
esac
path=$(usable "$path") || exit
case $path in *'
'* | *[*?[\\]*) die 12 "the name of $path holds a line break or one of *?[\\, which can't be followed" ;; esac

# Where agents write their state. Never through a link that a repository brought.
cd "$path" || exit
for dir in .schmux .schmux/signal .schmux/events; do
	[ ! -L "$dir" ] || die 18 "$path/$dir is a symbolic link"
	mkdir -p "$dir" || die 13 "$path/$dir can't be made"
done
if exclude=$(git rev-parse --git-path info/exclude 2>/dev/null); then
	grep -qx '/*\.schmux/*' "$exclude" 2>/dev/null || {
		mkdir -p "${exclude%/*}" && printf '.schmux/\n' >>"$exclude"
	} 2>/dev/null
fi
printf '%s\n%s\n' "$path" "$PROJECT"
