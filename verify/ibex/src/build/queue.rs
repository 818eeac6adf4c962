//! Builds machines one after the other while others run.

use super::{Build, Places};
use crate::failure::Failure;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// Machines that are built in the order in which they were asked for.
#[derive(Debug)]
pub(crate) struct Queue {
    built: Vec<(Build, PathBuf)>,
    coming: Receiver<(Build, Result<PathBuf, Failure>)>,
}

impl Queue {
    /// Begins to build these machines, each once.
    pub(crate) fn start(places: &Places, builds: impl IntoIterator<Item = Build>) -> Self {
        let mut distinct: Vec<Build> = Vec::new();
        for build in builds {
            if !distinct.contains(&build) {
                distinct.push(build);
            }
        }
        let (sender, coming) = channel();
        let places = places.clone();
        thread::spawn(move || {
            for build in distinct {
                let machine = build.make(&places);
                // Nobody waits any more if the other end has failed.
                if sender.send((build, machine)).is_err() {
                    break;
                }
            }
        });
        Self { built: Vec::new(), coming }
    }

    /// Returns a machine; waits until it has been built.
    pub(crate) fn machine(&mut self, wanted: &Build) -> Result<PathBuf, Failure> {
        loop {
            if let Some((_, machine)) = self.built.iter().find(|(build, _)| build == wanted) {
                return Ok(machine.clone());
            }
            let (build, machine) =
                self.coming.recv().map_err(|_| Failure::new(format!("{} was not built", wanted.name())))?;
            self.built.push((build, machine?));
        }
    }
}
