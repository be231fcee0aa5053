//! The binary `schmux`: everything is in the library.

fn main() -> std::process::ExitCode {
    schmux::cli::main()
}
