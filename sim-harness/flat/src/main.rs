//! `flat-image BUILD FOLDER`: writes the flat top of a build, and prints the paths of its two files.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [build, folder] = arguments.as_slice() else {
        eprintln!("usage: flat-image BUILD FOLDER, for example flat-image lwp_w4 target/flat");
        return ExitCode::from(2);
    };
    match flat_image::write(build, Path::new(folder)) {
        Ok(files) => {
            for file in files {
                println!("{}", file.display());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("flat-image: {error}");
            ExitCode::FAILURE
        }
    }
}
