//! `schmux mcp` for one session: tools by which the agent writes to others.
//!
//! No secret is written down: the server finds the session's own variables,
//! which agents that keep their environment to themselves are told to pass on.

use serde_json::{Value, json};

use super::Work;
use super::codex;
use super::ways::Mcp;

/// The name under which agents know the server, and the tools of it.
pub(super) const NAME: &str = "schmux";

/// What the server must know.
const VARIABLES: [&str; 3] = ["SCHMUX_HOME", "SCHMUX_SESSION_ID", "SCHMUX_TOKEN"];

pub(super) fn offer(work: &mut Work<'_>, mcp: Mcp) -> Result<(), String> {
    let exe = work.request.exe.to_string_lossy().into_owned();
    match mcp {
        Mcp::Flag => {
            let env: serde_json::Map<String, Value> = VARIABLES
                .iter()
                .map(|name| ((*name).to_owned(), json!(format!("${{{name}}}"))))
                .collect();
            let server = json!({ "type": "stdio", "command": exe, "args": ["mcp"], "env": env });
            let config = json!({ "mcpServers": { NAME: server } });
            let path = work.write("mcp.json", &format!("{config:#}\n"))?;
            // The flag takes several values, so its own is joined: a prompt could follow.
            work.launch.put_in([format!("--mcp-config={}", path.display())]);
        }
        Mcp::Codex => {
            let exe = toml::Value::from(exe);
            let variables = toml::Value::from(VARIABLES.to_vec());
            let server = format!("{{command={exe},args=[\"mcp\"],env_vars={variables}}}");
            codex::put_in(work, [format!("mcp_servers.{NAME}={server}")]);
        }
        Mcp::Opencode => {
            const VARIABLE: &str = super::opencode::VARIABLE;
            let text = work.variable(VARIABLE).unwrap_or_else(|| "{}".to_owned());
            let mut config: Value = serde_json::from_str(&text)
                .map_err(|err| format!("your {VARIABLE} is no JSON: {err}"))?;
            let refused = || format!("`mcp` in your {VARIABLE} is no object");
            let fields = config.as_object_mut().ok_or_else(refused)?;
            let servers = fields.entry("mcp").or_insert_with(|| json!({}));
            let servers = servers.as_object_mut().ok_or_else(refused)?;
            let server = json!({ "type": "local", "command": [exe, "mcp"], "enabled": true });
            servers.insert(NAME.to_owned(), server);
            work.set_variable(VARIABLE, config.to_string());
        }
    }
    Ok(())
}
