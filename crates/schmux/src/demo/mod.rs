//! `schmux demo-agent`.
