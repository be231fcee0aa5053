use super::*;

#[test]
fn a_status_is_read() {
    let bytes = b"# branch.oid c350\0# branch.head main\0# branch.upstream origin/main\0\
        # branch.ab +2 -1\0# stash 3\0\
        1 .M N... 100644 100644 100644 a b with blank\0\
        1 A. N... 000000 100644 100644 a b added\0\
        1 AD N... 000000 100644 000000 a b gone again\0\
        2 R. N... 100644 100644 100644 a b R100 new name\0old name\0\
        u UU N... 1 2 3 4 a b c both\0\
        ? un tracked\0! ignored\0garbage\0";
    let found = status(bytes);
    assert_eq!(found.branch.as_deref(), Some("main"));
    assert_eq!((found.ahead, found.behind, found.stashes), (2, 1, 3));
    let files: Vec<String> = found
        .files
        .iter()
        .map(|f| {
            format!(
                "{:?} {} {:?} {}{}",
                f.change,
                f.path,
                f.old_path,
                u8::from(f.staged),
                u8::from(f.unstaged)
            )
        })
        .collect();
    expect_test::expect![[r#"
        Added added None 10
        Conflicted both None 01
        Deleted gone again None 11
        Renamed new name Some("old name") 10
        Untracked un tracked None 01
        Modified with blank None 01"#]]
    .assert_eq(&files.join("\n"));
}

#[test]
fn a_repository_without_commits_or_on_no_branch() {
    let cases: [(&[u8], Option<&str>, Option<&str>); 3] = [
        (b"# branch.oid (initial)\0# branch.head main\0", None, Some("main")),
        (b"# branch.oid abc\0# branch.head (detached)\0", Some("abc"), None),
        (b"", None, None),
    ];
    for (bytes, head, branch) in cases {
        let found = status(bytes);
        assert_eq!((found.head.as_deref(), found.branch.as_deref()), (head, branch));
    }
}

#[test]
fn counts_are_read() {
    let found = numstat(b"1\t0\tb\x00-\t-\tpicture\x0010\t2\t\x00old\x00new\x00junk\x00");
    let told: Vec<_> = found.iter().map(|c| (c.path.as_str(), c.lines)).collect();
    assert_eq!(told, [("b", Some((1, 0))), ("picture", None), ("new", Some((10, 2)))]);
}

#[test]
fn patches_are_matched_with_their_files() {
    let bytes = b":100644 100644 1 0 M\0b\0:100644 100644 2 2 R100\0a\0c d\0\
        :000000 000000 0 0 U\0both\0:100644 100644 1 0 M\0both\0:100644 120000 1 0 T\0t\0\
        :100644 100644 1 0 M\0bin\0\0\
        diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1,2 @@\n b\n+diff --git a/x b/x\n\
        diff --git a/a b/c d\nrename from a\nrename to c d\n* Unmerged path both\n\
        diff --git a/both b/both\n@@ -1 +1 @@\n-<\n+>\n\
        diff --git a/t b/t\ndeleted file mode 100644\ndiff --git a/t b/t\nnew file mode 120000\n\
        diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n";
    let found = patches(bytes, false);
    let told: Vec<_> = found
        .iter()
        .map(|p| (p.path.as_str(), p.change, p.binary, p.text.lines().count()))
        .collect();
    use Change::*;
    assert_eq!(
        told,
        [
            ("b", Modified, false, 6),
            ("c d", Renamed, false, 3),
            ("both", Modified, false, 4),
            ("t", TypeChanged, false, 4),
            ("bin", Modified, true, 2),
        ]
    );
    assert_eq!(found[1].old_path.as_deref(), Some("a"));
}

#[test]
fn a_cut_anywhere_does_no_harm() {
    let bytes = b":100644 100644 1 0 M\0b\0:100644 100644 2 2 R100\0a\0c d\0\0\
        diff --git a/b b/b\n@@ -1 +1,2 @@\n b\n+x\ndiff --git a/a b/c d\nrename from a\n";
    for end in 0..bytes.len() {
        let found = patches(&bytes[..end], true);
        assert!(found.iter().rev().skip(1).all(|patch| !patch.cut));
        status(&bytes[..end]);
        numstat(&bytes[..end]);
        settings(&bytes[..end]);
    }
}

#[test]
fn new_files_become_patches() {
    let cases: [(&[u8], Option<&str>); 4] = [
        (b"", Some("diff --git a/p b/p\nnew file mode 100644\n")),
        (
            b"one\ntwo\n",
            Some(
                "diff --git a/p b/p\nnew file mode 100644\n--- /dev/null\n+++ b/p\n@@ -0,0 +1,2 @@\n+one\n+two\n",
            ),
        ),
        (
            b"one",
            Some(
                "diff --git a/p b/p\nnew file mode 100644\n--- /dev/null\n+++ b/p\n@@ -0,0 +1,1 @@\n+one\n\\ No newline at end of file\n",
            ),
        ),
        (b"\0", None),
    ];
    for (content, expected) in cases {
        assert_eq!(new_file("p", content).as_deref(), expected);
    }
}

#[test]
fn texts_are_cut_at_lines() {
    for (text, most, expected) in [
        ("ab\ncd\n", 6, "ab\ncd\n"),
        ("ab\ncd\n", 5, "ab\n"),
        ("abcd", 3, ""),
        ("é\né\n", 4, "é\n"),
    ] {
        let mut cut = text.to_owned();
        assert_eq!(cut_lines(&mut cut, most), text.len() > most);
        assert_eq!(cut, expected);
    }
}

#[test]
fn only_the_users_own_programs_may_run() {
    let bytes =
        b"global\0filter.lfs.clean\0local\0filter.evil.clean\0worktree\0filter.e.x.process\0\
        local\0remote.origin.url\0local\0core.bare\0";
    let found = settings(bytes);
    assert_eq!(found.programs, ["filter.evil.clean", "filter.e.x.process"]);
    assert!(found.has_remote);
    assert_eq!(settings(b""), Settings::default());
}
