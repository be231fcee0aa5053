//! `schmux mcp`: tools for the agent that starts it, over stdio. They are the
//! same API that everyone uses, in the agent's own name (`SCHMUX_TOKEN`).

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::schemars::JsonSchema;
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schmux_core::signal::State;
use serde::Deserialize;
use serde_json::json;

use crate::client::{Client, ClientError, encode_segment};
use crate::wire::{InboxMessage, Message, MessageRequest, Session, SignalRequest};

const INSTRUCTIONS: &str = "\
Other agents work on this machine, each in a session of schmux. These tools are for talking to \
them: list_sessions shows who is there, send_message writes to one, check_inbox brings what was \
written to you. Messages also come by themselves; they begin with a line that says who wrote \
them. set_status tells the human how your work stands.";

/// The tools of one agent.
#[derive(Debug, Clone)]
struct Tools {
    client: Client,
    /// The agent's own session.
    session: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct SendMessage {
    /// The session to write to: its id or its nickname, as list_sessions shows them
    to: String,
    /// What to say
    message: String,
    /// Deliver it before other messages, and while the agent works where that is safe
    #[serde(default)]
    urgent: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct SetStatus {
    /// One of: completed, needs_input, needs_testing, error, working
    state: String,
    /// One short sentence for the human: what was done, or what is needed
    message: String,
}

#[tool_router]
impl Tools {
    #[tool(description = "Write a message to another agent. It is delivered exactly once, when \
        the agent can take it. Returns how far it is; an answer comes as a message to you.")]
    async fn send_message(
        &self,
        Parameters(SendMessage { to, message, urgent }): Parameters<SendMessage>,
    ) -> Result<String, String> {
        let request =
            MessageRequest { to: vec![to], text: message, urgent, ..MessageRequest::default() };
        let sent: Vec<Message> =
            self.client.post("/api/messages", &request).await.map_err(explain)?;
        let told = sent.iter().map(|message| {
            let reason = message.reason.as_deref().map_or(String::new(), |why| format!(": {why}"));
            let (id, to, state) = (message.id, &message.session_id, message.state.word());
            format!("message {id} to {to} is {state}{reason}\n")
        });
        Ok(told.collect())
    }

    #[tool(description = "Take the messages that wait for you. Each comes only once.")]
    async fn check_inbox(&self) -> Result<String, String> {
        let messages: Vec<InboxMessage> =
            self.client.post("/api/inbox", &json!({})).await.map_err(explain)?;
        if messages.is_empty() {
            return Ok("No message waits for you.".to_owned());
        }
        let texts = messages.iter().map(|message| match &message.from {
            Some(_) => message.text.clone(),
            None => format!("[schmux] Message from your human:\n{}", message.text),
        });
        Ok(texts.collect::<Vec<_>>().join("\n\n"))
    }

    #[tool(description = "List the sessions of all agents: whom you can write to, where they \
        work and how they stand.")]
    async fn list_sessions(&self) -> Result<String, String> {
        let sessions: Vec<Session> = self.client.get("/api/sessions").await.map_err(explain)?;
        let told: Vec<serde_json::Value> = sessions
            .iter()
            .map(|session| {
                json!({
                    "id": session.id, "nickname": session.nickname, "target": session.target,
                    "workspace": session.workspace_id, "status": session.status,
                    "you": session.id == self.session,
                })
            })
            .collect();
        serde_json::to_string_pretty(&told).map_err(|err| err.to_string())
    }

    #[tool(description = "Tell the human how your work stands, before you stop and wait for them.")]
    async fn set_status(
        &self,
        Parameters(SetStatus { state, message }): Parameters<SetStatus>,
    ) -> Result<String, String> {
        let state: State = state.parse().map_err(|unknown| format!("`{state}`: {unknown}"))?;
        let id = format!("{:032x}", rand::random::<u128>());
        let request = SignalRequest { id, state, message, details: Default::default() };
        let path = format!("/api/sessions/{}/signal", encode_segment(&self.session));
        self.client.tell(&path, &request).await.map_err(explain)?;
        Ok(format!("Your human sees: {}", state.as_str()))
    }
}

#[tool_handler]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("schmux", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}

/// Serves until the agent closes its end.
pub(crate) async fn serve(client: Client, session: String) -> anyhow::Result<()> {
    let service = Tools { client, session }.serve(stdio()).await?;
    service.waiting().await?;
    Ok(())
}

/// What the agent can make of a refusal.
fn explain(error: ClientError) -> String {
    match error.advice() {
        Some(advice) => format!("{error}. {advice}"),
        None => error.to_string(),
    }
}
