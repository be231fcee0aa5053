# Prints the frames of editors that ask what to do (editor.sh). They name their
# file through a pipe, so that nothing waits and nothing is polled. Before this
# text comes DIR.
calls=$DIR/calls
# One of an earlier connection may still listen.
[ ! -p "$calls" ] || echo end 1<>"$calls"
rm -rf "$calls"
mkfifo -m 600 "$calls" || exit 1
exec 3<>"$calls"
printf '%sSIGNAL__watching notified__END__\n' __SCHMUX_
# What editors left for whoever listens next: that they gave up because nobody
# did, and keys that they caught, until the daemon has put a newline in their place.
for left in "$DIR"/launches/*/gone "$DIR"/launches/*/edit-*.kept; do
	[ -f "$left" ] || continue
	case $left in
	*.kept) if [ "$(wc -c <"$left")" -le 1 ]; then rm -f "$left" && continue; fi ;;
	esac
	cat "$left"
done 2>/dev/null
while read -r name <&3; do
	case $name in
	end) exit 0 ;;
	*[!A-Za-z0-9_./-]* | *..*) continue ;;
	esac
	cat "$DIR/launches/$name" 2>/dev/null
	case $name in *.end) rm -f "$DIR/launches/$name" ;; esac
done
