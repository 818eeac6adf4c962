//! `flat-image BUILD FOLDER`: writes the flat top of a build and its checker, and prints the paths of the four files. `--checkers FOLDER`
//! writes the checkers of all builds, `--list` names the builds.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [list] = arguments.as_slice()
        && list == "--list"
    {
        flat_image::builds().for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let written = match arguments.as_slice() {
        [checkers, folder] if checkers == "--checkers" => {
            flat_image::write_checkers(Path::new(folder)).map(|()| Vec::new())
        }
        [build, folder] => flat_image::write(build, Path::new(folder))
            .map(|files| files.flat.into_iter().chain(files.checker).collect()),
        _ => {
            eprintln!(
                "usage: flat-image BUILD FOLDER | --checkers FOLDER | --list, for example flat-image lwp_w4 target/flat"
            );
            return ExitCode::from(2);
        }
    };
    match written {
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
