# Runs a tmux client and passes on what goes to it and comes from it, but never
# more ahead of who listens than it was told to: ssh would take megabytes at once,
# and on a slow link everything else would wait behind them. A line that begins
# with ACK says up to which byte may be sent.
use strict;
pipe(my $theirs, my $to) && pipe(my $from, my $ours) or exit 1;
my $child = fork;
defined $child or exit 1;
if (!$child) {
	open(STDIN, '<&', $theirs) && open(STDOUT, '>&', $ours) or exit 1;
	close $_ for $theirs, $to, $from, $ours;
	exec { $ARGV[0] } @ARGV;
	exit 127;
}
close $theirs;
close $ours;
$SIG{PIPE} = 'IGNORE';
# A pipe that takes anything takes this much without waiting.
my $piece = 4096;
my ($granted, $sent, $listens, $speaks) = (131072, 0, 1, 1);
# What isn't a whole line yet, what tmux is to read, and what is to be sent.
my ($line, $in, $out) = ('', '', "%schmux-relay\n");
while ($speaks || length $out) {
	my ($r, $w) = ('', '');
	vec($r, 0, 1) = 1 if $listens && length $in < 65536;
	vec($r, fileno $from, 1) = 1 if $speaks && !length $out;
	vec($w, fileno $to, 1) = 1 if length $in;
	vec($w, 1, 1) = 1 if length $out && $sent < $granted;
	next if select($r, $w, undef, undef) < 1;
	if (vec $r, 0, 1) {
		$listens = sysread STDIN, $line, 65536, length $line;
		# Nobody is left who could say how much.
		$granted = 9e15 if !$listens;
		while ((my $end = 1 + index $line, "\n") > 0) {
			my $next = substr $line, 0, $end, '';
			if ($next =~ /^\x06(\d+)$/) { $granted = $1 } else { $in .= $next }
		}
	}
	if (length $in && vec $w, fileno $to, 1) {
		my $count = syswrite $to, $in, $piece;
		defined $count ? substr $in, 0, $count, '' : ($in = '');
	}
	if (!$listens && !length $in && defined fileno $to) {
		close $to;
		open $to, '>', '/dev/null';
	}
	if ($speaks && vec $r, fileno $from, 1) {
		$speaks = sysread $from, $out, 65536;
	}
	if (length $out && vec $w, 1, 1) {
		my $count = syswrite STDOUT, $out, $piece;
		# tmux would keep a client that nobody reads, and itself with it, for ever.
		defined $count or kill('KILL', $child), exit 1;
		$sent += $count;
		substr $out, 0, $count, '';
	}
}
waitpid $child, 0;
exit $? >> 8;
