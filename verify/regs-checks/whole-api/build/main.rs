//! Writes a call of every public function of `lwp-regs`, from the list of its API, with arguments drawn at random.

mod calls;
mod generics;
mod parse;
mod values;

use parse::Api;
use std::path::Path;
use std::{env, fs};

fn main() {
    let api = Path::new("../../../lwp-regs/public-api.txt");
    println!("cargo::rerun-if-changed={}", api.display());
    for file in ["build", "except.txt", "panics.txt", "src/by_hand.rs", "src/values.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let api = Api::parse(&read(api));
    let by_hand = [read(Path::new("src/by_hand.rs")), read(Path::new("src/values.rs"))].concat();
    let except = read(Path::new("except.txt"));
    let except: Vec<_> =
        except.lines().filter_map(|line| line.split_once(" | ")).map(|(what, _)| what.trim()).collect();
    let panics = read(Path::new("panics.txt"));
    let panics: Vec<_> =
        panics.lines().filter_map(|line| line.split_once(" | ")).map(|(what, _)| what.trim()).collect();
    let mut code = values::draws(&api, &by_hand, &except, &panics);
    code += &calls::table(&api, &except);
    let out = env::var("OUT_DIR").expect("cargo names a directory");
    fs::write(Path::new(&out).join("calls.rs"), code).expect("the calls can be written");
}
