//! A call as a web request, in the shapes that services take.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Failed;
use super::call::Call;
use crate::config::Format;

/// How long a service may take.
const LIMIT: Duration = Duration::from_secs(20);

/// Sends it.
pub(super) async fn post(
    url: &str,
    format: Format,
    headers: &BTreeMap<String, String>,
    call: &Call,
) -> Result<(), Failed> {
    let (mut all, body) = shape(format, call);
    all.extend(headers.iter().map(|(name, value)| (name.clone(), value.clone())));
    let url = url.to_owned();
    // The client waits for its answer, so it does that on a thread of its own.
    let sent = tokio::task::spawn_blocking(move || {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().timeout_global(Some(LIMIT)).build().into();
        let mut request = agent.post(&url);
        for (name, value) in all {
            request = request.header(name, value);
        }
        request.send(&body[..]).map(|_| ())
    });
    match sent.await {
        Ok(Ok(())) => Ok(()),
        // It may have arrived, and its answer not.
        Ok(Err(error @ (ureq::Error::Timeout(_) | ureq::Error::Io(_)))) if !is_refused(&error) => {
            Err(Failed::Perhaps(error.to_string()))
        }
        Ok(Err(error)) => Err(Failed::Surely(error.to_string())),
        Err(error) => Err(Failed::Perhaps(error.to_string())),
    }
}

/// Whether nothing listened there at all.
fn is_refused(error: &ureq::Error) -> bool {
    matches!(error, ureq::Error::Io(io) if io.kind() == std::io::ErrorKind::ConnectionRefused)
}

fn shape(format: Format, call: &Call) -> (Vec<(String, String)>, Vec<u8>) {
    let headers = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    match format {
        Format::Json => (headers(&[("Content-Type", "application/json")]), call.json()),
        Format::Slack => {
            let text =
                format!("*{}*\n{}\n<{}>", escape(&call.title()), escape(call.text()), call.url);
            let body = serde_json::json!({ "text": text }).to_string();
            (headers(&[("Content-Type", "application/json")]), body.into_bytes())
        }
        Format::Ntfy => {
            let priority = if call.state == "error" { "high" } else { "default" };
            let title = ascii(&call.title());
            let pairs = [
                ("Title", title.as_str()),
                ("Priority", priority),
                ("Tags", "robot"),
                ("Click", &call.url),
            ];
            (headers(&pairs), call.text().as_bytes().to_vec())
        }
    }
}

/// What Slack would take for markup.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A header holds plain characters only.
fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(format: Format) -> (Vec<(String, String)>, String) {
        let (headers, body) = shape(format, &Call::example());
        (headers, String::from_utf8(body).unwrap())
    }

    #[test]
    fn each_service_gets_its_shape() {
        let (_, slack) = sent(Format::Slack);
        let slack: serde_json::Value = serde_json::from_str(&slack).unwrap();
        assert_eq!(
            slack["text"],
            "*fixer: Needs Authorization*\nMay I &lt;run&gt; \"it\" &amp; go?\n\
             <http://127.0.0.1:7337/#/s/app-001-aaaa1111>"
        );
        let (headers, ntfy) = sent(Format::Ntfy);
        assert_eq!(ntfy, "May I <run> \"it\" & go?");
        assert!(headers.contains(&("Title".into(), "fixer: Needs Authorization".into())));
        let (_, json) = sent(Format::Json);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&json["nudge_seq"], &json["state"]), (&3.into(), &"needs_input".into()));
        assert_eq!(ascii("é: ok"), "?: ok");
    }
}
