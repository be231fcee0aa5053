use proptest::prelude::*;
use serde_json::json;

use super::*;

fn news(agent: &str, event: &str, payload: Value) -> News {
    read(agent, event, &payload).unwrap().news
}

fn asked(message: &str) -> News {
    News::Asked { about: None, message: message.into() }
}

#[test]
fn one_call_of_a_tool_has_one_name() {
    let call =
        |event, input| news("claude", event, json!({"tool_name": "Bash", "tool_input": input}));
    let News::ToolBegan { about } = call("PreToolUse", json!({"command": "x", "timeout": 3}))
    else {
        panic!("it began")
    };
    // The order of the keys and what the agent adds later don't matter.
    for input in [
        json!({"timeout": 3, "command": "x"}),
        json!({"command": "x", "timeout": 3, "description": "d", "answers": {"q": "a"}}),
    ] {
        let ended = News::ToolEnded { about: about.clone(), failed: false };
        assert_eq!(call("PostToolUse", input), ended);
    }
    for input in [json!({"command": "y", "timeout": 3}), json!({"command": "x"}), json!(null)] {
        assert_ne!(call("PreToolUse", input), News::ToolBegan { about: about.clone() });
    }
}

#[test]
fn requests_are_told_in_a_persons_words() {
    for (tool, input, expected) in [
        ("Bash", json!({"command": "rm -rf build", "description": "d"}), "Bash: rm -rf build"),
        ("Bash", json!({"command": "a \\\n  b\x1b[31m"}), "Bash: a \\   b"),
        ("shell", json!({"command": ["bash", "-lc", "ls"]}), "shell: ls"),
        ("Edit", json!({"old_string": "o", "file_path": "/a/b.rs"}), "Edit: /a/b.rs"),
        ("WebFetch", json!({"prompt": "p", "url": "https://x"}), "WebFetch: https://x"),
        ("mcp__github__create_issue", json!({"title": "t"}), "github create_issue"),
        ("ExitPlanMode", json!({"plan": "# Do it\n1. a"}), "Plan: Do it"),
        ("AskUserQuestion", json!({"questions": [{"question": "Which?"}]}), "Which?"),
        ("ask_user", json!({"message": "Red or blue?"}), "Red or blue?"),
        ("Tool", json!({"message": "no question"}), "Tool"),
        ("Tool", json!("text"), "Tool"),
        ("", json!(null), ""),
    ] {
        assert_eq!(words::request(tool, &input), expected, "{tool} {input}");
    }
}

#[test]
fn the_first_line_that_says_something() {
    for (answer, expected) in [
        ("Done.", "Done."),
        ("\n\n## Summary\n\nAll of it.", "Summary"),
        ("---\n***\n- **Fixed** the `login`", "Fixed the login"),
        ("--<[schmux:completed:Done]>--\nI am done.", "I am done."),
        ("> quoted\n", "quoted"),
        ("```\n", ""),
        ("漢字", "漢字"),
        ("evil\u{202e}\x1b]0;t\x07", "evil"),
        ("", ""),
    ] {
        assert_eq!(words::first_line(answer), expected, "{answer:?}");
    }
}

#[test]
fn idle_notifications_are_no_questions() {
    let told = |json| news("claude", "Notification", json);
    let permission = "Claude needs your permission to use Bash";
    for (payload, expected) in [
        (json!({"message": "Claude is waiting for your input"}), News::Waiting),
        (
            json!({"message": "Claude is waiting for your input", "notification_type": "idle_prompt"}),
            News::Waiting,
        ),
        (json!({"message": permission}), asked(permission)),
        (json!({"message": "m", "notification_type": "permission_prompt"}), asked("m")),
        (json!({"message": "m", "notification_type": "elicitation_dialog"}), asked("m")),
        (json!({"message": "m", "notification_type": "auth_success"}), News::Other),
        (json!({"message": "needs your", "notification_type": "new_in_3.0"}), News::Other),
        (json!({}), News::Other),
    ] {
        assert_eq!(told(payload.clone()), expected, "{payload}");
    }
}

#[test]
fn what_no_recording_shows() {
    for (agent, event, payload, expected) in [
        (
            "claude",
            "Elicitation",
            json!({"mcp_server_name": "db", "message": "Which?"}),
            asked("db: Which?"),
        ),
        ("claude", "ElicitationResult", json!({}), News::Answered { about: None }),
        ("claude", "PreCompact", json!({}), News::Compacting),
        ("claude", "PostToolUseFailure", json!({"is_interrupt": true}), News::Interrupted),
        ("claude", "Stop", json!({"agent_id": "a"}), News::SubagentEnded),
        ("claude", "FromTheFuture", json!({}), News::Other),
        (
            "claude",
            "Stop",
            json!("no object"),
            News::TurnEnded { message: String::new(), behind: Behind::Nothing },
        ),
        (
            "gemini",
            "Notification",
            json!({"notification_type": "ToolPermission", "details": {"type": "edit", "fileName": "a.rs"}}),
            asked("Edit: a.rs"),
        ),
        (
            "gemini",
            "Notification",
            json!({"notification_type": "ToolPermission", "details": {"type": "mcp", "serverName": "s", "toolName": "t"}}),
            asked("s: t"),
        ),
        (
            "gemini",
            "AfterTool",
            json!({"tool_name": "t", "tool_response": {"error": {}}}),
            News::ToolEnded { about: words::about("t", &Value::Null), failed: true },
        ),
        (
            "cursor-agent",
            "beforeSubmitPrompt",
            json!({"prompt": " exact "}),
            News::TurnBegan { prompt: Some(" exact ".into()) },
        ),
        ("cursor-agent", "stop", json!({"status": "aborted"}), News::Interrupted),
        (
            "cursor-agent",
            "stop",
            json!({"status": "error", "error_message": "no"}),
            News::TurnFailed { message: "no".into() },
        ),
        (
            "cursor-agent",
            "stop",
            json!({"status": "completed"}),
            News::TurnEnded { message: String::new(), behind: Behind::Nothing },
        ),
        (
            "copilot",
            "preToolUse",
            json!({"toolName": "bash", "toolArgs": "{\"command\":\"x\"}"}),
            News::ToolBegan { about: words::about("bash", &json!({"command": "x"})) },
        ),
        ("copilot", "permissionRequest", json!({"toolName": "bash"}), News::Other),
        ("aider", "waiting", json!(null), News::Waiting),
    ] {
        assert_eq!(news(agent, event, payload), expected, "{agent} {event}");
    }
    assert_eq!(read("unheard-of", "Stop", &json!({})), None);
}

#[test]
fn payloads_are_cut_and_calls_stay_the_same() {
    let long = "ü".repeat(40 << 10);
    let mut began =
        json!({"tool_name": "Write", "tool_input": {"content": long, "file_path": "/x"}});
    let mut ended = began.clone();
    ended["tool_response"] = json!({"stdout": "o".repeat(1 << 20)});
    shrink(&mut began, 120 << 10);
    shrink(&mut ended, 120 << 10);
    assert_eq!(began["tool_input"], ended["tool_input"]);
    assert!(ended.to_string().len() < 64 << 10);

    let prompt = "p".repeat(100 << 10);
    let mut payload = json!({"prompt": prompt, "transcript": "t".repeat(100 << 10)});
    shrink(&mut payload, 120 << 10);
    assert_eq!(payload["prompt"], prompt);

    let mut many = json!((0..100_000).map(|n| n.to_string()).collect::<Vec<_>>());
    shrink(&mut many, 120 << 10);
    assert_eq!(many, Value::Null);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec(
                (
                    prop_oneof![
                        "[a-z_]{1,12}",
                        Just("tool_input".to_owned()),
                        Just("error".to_owned())
                    ],
                    inner
                ),
                0..6
            )
            .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_json_makes_it_panic_or_say_unclean_things(
        agent in prop_oneof![Just("claude"), Just("codex"), Just("gemini"), Just("copilot"), Just("cursor-agent"), Just("opencode")],
        event in prop_oneof![Just("Stop"), Just("notify"), Just("PermissionRequest"), Just("Notification"), Just("AfterTool"), Just("permission.asked"), Just("session.error"), Just("preToolUse")],
        payload in any_json(),
    ) {
        if let Some(Told { news: News::Asked { message, .. } | News::TurnEnded { message, .. } | News::TurnFailed { message }, .. }) = read(agent, event, &payload) {
            prop_assert!(!message.chars().any(char::is_control));
        }
    }

    #[test]
    fn nothing_is_longer_than_the_limit(mut payload in any_json(), limit in 4_usize..2000) {
        shrink(&mut payload, limit);
        prop_assert!(payload.to_string().len() <= limit);
    }
}
