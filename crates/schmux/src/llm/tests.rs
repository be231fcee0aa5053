//! Every way to ask, against a real server that speaks it, and real programs.
