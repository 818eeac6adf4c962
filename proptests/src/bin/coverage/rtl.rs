use super::args::RtlArgs;
pub(crate) fn rtl(_: &RtlArgs) -> Result<std::process::ExitCode, String> { Err("x".into()) }
