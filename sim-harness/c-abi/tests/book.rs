//! What the book's chapter shows, a reader can do: its programs and commands run as they stand there.

use crate::support::{model_folder, package, run, scratch, succeed};
use std::fs;
use std::process::Command;

fn chapter() -> String {
    fs::read_to_string(package().join("../../docs/src/harness/model-for-others.md")).unwrap()
}

/// The chapter's blocks of code in that language.
fn blocks(language: &str) -> Vec<String> {
    let chapter = chapter();
    let fence = format!("```{language}\n");
    chapter.split(&fence).skip(1).map(|rest| rest.split_once("```").expect("its end").0.to_owned()).collect()
}

#[test]
fn the_c_program_runs_however_it_is_linked() {
    let (folder, model) = (scratch("book-c"), model_folder("model-book-c"));
    let [program] = &blocks("c")[..] else { panic!("one C program") };
    fs::write(folder.join("bench.c"), program).unwrap();
    let commands: Vec<String> =
        blocks("sh").into_iter().flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let commands: Vec<String> = commands.into_iter().filter(|line| line.contains("bench.c")).collect();
    assert_eq!(commands.len(), 3, "static, shared, pkg-config: {commands:?}");
    for command in commands {
        let mut shell = Command::new("sh");
        shell.current_dir(&folder).env("M", &model).env_remove("PKG_CONFIG_PATH");
        let warnings = "-std=c99 -Wall -Wextra -Wpedantic -Werror";
        succeed(shell.args(["-euc", &command.replacen("cc ", &format!("cc {warnings} "), 1)]));
        let mut bench = Command::new(folder.join("bench"));
        // The last command leaves it to the system to find the library.
        if command.contains("pkg-config") {
            bench.env("LD_LIBRARY_PATH", model.join("lib"));
        }
        assert_eq!(succeed(&mut bench), "msr0 is 0x3\n", "{command}");
        fs::remove_file(folder.join("bench")).unwrap();
    }
}

#[test]
fn the_python_program_runs() {
    let model = model_folder("model-book-python");
    let [program] = &blocks("python")[..] else { panic!("one Python program") };
    let python = || {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", model.join("python")).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    assert_eq!(succeed(python().args(["-c", program])), "0\n");
    // What the library refuses is an exception with its text, and a folder without a library says what to do.
    let refused = run(python().args(["-c", "import lwp_model; lwp_model.LwpModel(lwp_model.config(retire_lanes=3))"]));
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.text.contains("lwp_model.Refused: lwp_model_new: no model with retire_lanes 3"),
        "{}",
        refused.text
    );
    fs::remove_file(model.join("lib/liblwp_model.so")).unwrap();
    let lost = run(python().args(["-c", program]));
    assert!(lost.code == Some(1) && lost.text.contains("run make model-c"), "{}", lost.text);
}

/// The chapter's commands for Verilator are those of the example, which another test runs.
#[test]
fn the_verilator_command_is_the_examples() {
    let squeeze = |text: &str| text.replace('\\', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let example = fs::read_to_string(package().join("examples/systemverilog/run")).unwrap();
    let example = squeeze(&example).replace("$model", "$M").replace('"', "").replace("$bench", "tb.sv");
    let blocks = blocks("sh");
    let shown = blocks.iter().find(|block| block.starts_with("verilator")).expect("a command for Verilator");
    let shown = squeeze(shown);
    assert!(example.contains(&shown), "{shown}\nis not in\n{example}");
}

/// In Python, a step in words is the step in fields, and a row of another length is refused.
#[test]
fn python_steps_in_words() {
    let model = model_folder("model-book-python-words");
    let python = |program: &str| {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", model.join("python")).env("PYTHONDONTWRITEBYTECODE", "1");
        run(command.arg("-c").arg(program))
    };
    let said = python(
        "from lwp_model import *\n\
         fields, rows, inputs = LwpModel(), LwpModel(), Inputs(cpl=3, op_mode=4)\n\
         before = bytes(rows.probe())\n\
         fields.step(inputs)\n\
         rows.step_words(rows.pack(inputs))\n\
         print(bytes(fields.probe()) == bytes(rows.probe()) != before)",
    );
    assert_eq!((said.code, said.text.as_str()), (Some(0), "True\n"));
    let refused = python("from lwp_model import *; LwpModel().step_words(words(1, 55))");
    assert!(
        refused.code == Some(1) && refused.text.contains("lwp_model.Refused: lwp_model_step_words"),
        "{}",
        refused.text
    );
}
