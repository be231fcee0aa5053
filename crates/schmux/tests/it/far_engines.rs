//! The examples of docs/hosts.md, as they stand there, with programs that take
//! the place of Docker, Kubernetes, Slurm and Nomad: each knows the words and
//! options that the real one documents for these verbs, refuses all others, and
//! has a directory for what would be a container, a pod or a job.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use schmux::wire::{Session, SpawnRequest, Status};

use super::far::END_ALL;
use super::hosts::says;
use super::support::Daemon;

const COMMON: &str = r#"
echo "${0##*/} $*" >>"$places/log"
no() { echo "${0##*/}: unknown: $*" >&2; exit 125; }
name() { case $1 in '' | -* | *[!a-z0-9-]*) no "$1" ;; esac; place=$places/$1; }
make() { mkdir -p "$place/tmux"; }
enter() {
	[ -d "$place" ] || { echo "no such place" >&2; exit 1; }
	exec env -i HOME="$place" SHELL=/bin/sh PATH=/usr/bin:/bin TMUX_TMPDIR="$place/tmux" "$@"
}
end() {
	end_all
	rm -rf "$place"
}
"#;

const PROGRAMS: [(&str, &str); 7] = [
    (
        "docker",
        r#"verb=$1; shift
case $verb in
start | stop) name "$1"; [ $# = 1 ] || no "$@"; [ -d "$place" ] || exit 1 ;;
run)
	while :; do case $1 in
		-d | --init) shift ;;
		--name) name "$2"; shift 2 ;;
		-*) no "$1" ;;
		*) break ;;
	esac; done
	[ "$*" = "agents sleep infinity" ] || no "$@"
	make ;;
exec)
	while :; do case $1 in -i | -it) shift ;; -u) shift 2 ;; -*) no "$1" ;; *) break ;; esac; done
	name "$1"; shift; enter "$@" ;;
rm) [ "$1" = -f ] || no "$1"; name "$2"; end ;;
*) no "$verb" ;;
esac"#,
    ),
    (
        "kubectl",
        r#"verb=$1; shift
case $verb in
get) [ "$1" = pod ] || no "$1"; name "$2"; [ -d "$place" ] ;;
run)
	name "$1"; shift
	[ "$*" = "--image=agents --restart=Never --command -- sleep infinity" ] || no "$@"
	make ;;
wait)
	case $1 in --for=condition=Ready) ;; *) no "$1" ;; esac
	case $2 in pod/*) name "${2#pod/}" ;; *) no "$2" ;; esac
	case $3 in --timeout=*s) ;; *) no "$3" ;; esac
	[ -d "$place" ] ;;
exec)
	case $1 in -i | -it) shift ;; *) no "$1" ;; esac
	name "$1"; [ "$2" = -- ] || no "$2"; shift 2; enter "$@" ;;
delete) [ "$1 $3" = "pod --wait=false" ] || no "$@"; name "$2"; end ;;
*) no "$verb" ;;
esac"#,
    ),
    (
        "squeue",
        r#"ids=
while [ $# -gt 0 ]; do case $1 in
	-h) shift ;;
	-n) name "$2"; shift 2 ;;
	-t) [ "$2" = R ] || no "$2"; shift 2 ;;
	-o) [ "$2" = %A ] || no "$2"; ids=yes; shift 2 ;;
	*) no "$1" ;;
esac; done
[ ! -d "$place" ] || cat "$place/job""#,
    ),
    (
        "salloc",
        r#"while [ $# -gt 0 ]; do case $1 in
	--no-shell) shift ;;
	-J) name "$2"; shift 2 ;;
	-t) shift 2 ;;
	*) no "$1" ;;
esac; done
make; echo 4711 >"$place/job"; mkdir -p "$places/jobs"; echo "$place" >"$places/jobs/4711""#,
    ),
    (
        "srun",
        r#"while :; do case $1 in
	--overlap | --pty) shift ;;
	--jobid=*) place=$(cat "$places/jobs/${1#*=}"); shift ;;
	-*) no "$1" ;;
	*) break ;;
esac; done
enter "$@""#,
    ),
    ("scancel", r#"[ "$1" = -n ] && [ $# = 2 ] || no "$@"; name "$2"; end"#),
    (
        "nomad",
        r#"verb="$1 $2"; shift 2
case $verb in
"job status") name "$1"; [ -d "$place" ] ;;
"job run")
	[ "$1" = -var ] || no "$1"
	case $2 in name=*) name "${2#name=}" ;; *) no "$2" ;; esac
	case $3 in *.hcl) ;; *) no "$3" ;; esac
	make ;;
"alloc exec")
	while :; do case $1 in -i | -t=false | -t=true | -job) shift ;; -*) no "$1" ;; *) break ;; esac; done
	name "$1"; shift; enter "$@" ;;
"job stop") [ "$1" = -purge ] || no "$1"; name "$2"; end ;;
*) no "$verb" ;;
esac"#,
    ),
];

/// The last example of the document that is in TOML.
fn example() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("../../docs/hosts.md")).unwrap();
    let block = text.rsplit("```toml\n").next().unwrap();
    block.split("```").next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_engines_make_a_place_for_each_workspace() {
    let base = tempfile::tempdir().unwrap();
    let places = base.path().join("places");
    let bin = base.path().join("bin");
    for dir in [&places, &bin] {
        fs::create_dir(dir).unwrap();
    }
    for (name, script) in PROGRAMS {
        let set = format!("places={}\nend_all() {{ {END_ALL}; }}", places.display());
        fs::write(bin.join(name), format!("#!/bin/sh\n{set}{COMMON}{script}\n")).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let daemon = Daemon::with_config(&example());
    // With these programs before all others.
    daemon.schmux(&["stop"]);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    assert!(daemon.command(&["start"]).env("PATH", path).status().unwrap().success());
    for (engine, attach, ends) in [
        ("docker", "docker exec -it ", "docker rm -f "),
        ("pod", "kubectl exec -it ", "kubectl delete pod "),
        ("slurm", "sh -c ", "scancel -n "),
        ("nomad", "nomad alloc exec -i -t=true -job ", "nomad job stop -purge "),
    ] {
        let request = SpawnRequest {
            target: "sh".into(),
            host: Some(engine.into()),
            args: vec!["echo here in $HOME; exec cat".into()],
            ..SpawnRequest::default()
        };
        let made = daemon.client().post::<_, Vec<Session>>("/api/spawn", &request).await;
        let log = || fs::read_to_string(places.join("log")).unwrap_or_default();
        let made = made.unwrap_or_else(|error| panic!("{engine}: {error:?}\n{}", log()));
        let session = &made[0];
        let place = places.join(&session.workspace_id);
        assert!(place.is_dir(), "{engine}: {}", log());
        assert!(session.attach_cmd.starts_with(attach), "{}", session.attach_cmd);
        daemon.view(session, "").await.sees("here in").await;
        fs::write(&session.status_file, "needs_input from a place\n").unwrap();
        says(&daemon, session, Status::NeedsInput, "from a place").await;
        daemon.schmux(&["dispose", &session.id]);
        assert!(!place.exists(), "{engine}: {}", log());
        assert!(log().contains(&format!("{ends}{}", session.workspace_id)), "{}", log());
        assert!(!log().contains("unknown"), "{}", log());
    }
}
