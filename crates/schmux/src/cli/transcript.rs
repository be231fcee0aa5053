//! The end of an agent's transcript, where only that says how a turn ended.
//!
//! Gemini CLI tells its hook of an end without an answer, and not whether it was
//! stopped or has failed. What the entries mean is decided elsewhere.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use schmux_core::signal::hook::TRANSCRIPT_END;
use serde_json::{Value, json};

/// How much of the file is read: the entries at its end are a few lines each, and
/// the agent waits.
const TAIL: u64 = 64 << 10;

/// How many entries are passed on.
const ENTRIES: usize = 4;

/// Adds the entries after the last message to what the hook was told.
pub(super) fn complete(agent: &str, event: &str, payload: &mut Value) {
    if (agent, event) != ("gemini", "AfterAgent") {
        return;
    }
    let path = payload.get("transcript_path").and_then(Value::as_str).map(Path::new);
    // Without it there is less to tell, and that is known to those who read it.
    if let Some(entries) = path.and_then(|path| tail(path).ok()).map(|tail| entries(&tail))
        && !entries.is_empty()
    {
        payload[TRANSCRIPT_END] = entries.into();
    }
}

fn tail(path: &Path) -> std::io::Result<Vec<u8>> {
    // Only a plain file is opened: anything else may block.
    let length = std::fs::metadata(path)?;
    if !length.is_file() {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(length.len().saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail)
}

/// What was noted after the last message of either side, oldest first.
fn entries(tail: &[u8]) -> Vec<Value> {
    let mut found = Vec::new();
    for line in tail.rsplit(|byte| *byte == b'\n') {
        let Ok(entry) = serde_json::from_slice::<Value>(line) else { continue };
        match entry.get("type").and_then(Value::as_str) {
            Some("user" | "gemini") => break,
            Some(kind) if found.len() < ENTRIES => {
                found.push(json!({ "type": kind, "content": entry.get("content") }));
            }
            _ => {}
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_after_the_last_message_is_added() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("session.jsonl");
        let lines = [
            r#"{"id":"1","type":"error","content":"an old one"}"#,
            r#"{"id":"2","type":"user","content":[{"text":"fail please"}]}"#,
            r#"{"$set":{"lastUpdated":"x"}}"#,
            r#"{"id":"3","type":"error","content":"[API Error: no]"}"#,
            r#"{"id":"4","type":"info","content":"This request failed."}"#,
            r#"{"$set":{"lastUpdated":"x"}}"#,
        ];
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let mut payload = json!({ "transcript_path": path, "prompt_response": "" });
        complete("gemini", "AfterAgent", &mut payload);
        let added = json!([
            { "type": "error", "content": "[API Error: no]" },
            { "type": "info", "content": "This request failed." },
        ]);
        assert_eq!(payload[TRANSCRIPT_END], added);
    }

    #[test]
    fn no_file_and_other_hooks_add_nothing() {
        for (event, path) in
            [("AfterAgent", "/nowhere"), ("AfterAgent", "/dev"), ("AfterTool", "/nowhere")]
        {
            let mut payload = json!({ "transcript_path": path });
            complete("gemini", event, &mut payload);
            assert_eq!(payload.get(TRANSCRIPT_END), None);
        }
        complete("gemini", "AfterAgent", &mut Value::Null);
    }
}
