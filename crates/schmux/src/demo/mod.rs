//! `schmux demo-agent`.

#[derive(Debug, Clone, clap::Args)]
pub struct DemoArgs {
    /// What it is asked first.
    pub prompt: Option<String>,
}

pub fn run(_args: DemoArgs) -> anyhow::Result<()> {
    anyhow::bail!("the demo agent is not part of this build")
}
