//! Objects, files and tasks.

use super::{CallError, Info, Options, Page, ProcEntry, SelfTestError, self_test};
use crate::perf::virtual_counter::{Control, CounterHardware, CounterSelect, TaskCounters};

/// What the driver asks the system about its tasks, `T`.
pub trait Tasks<T> {
    /// Whether the task exists.
    #[must_use]
    fn exists(&self, task: T) -> bool;

    /// Whether `caller` has attached to `task` as a debugger does and has stopped it (`ptrace_check_attach`).
    #[must_use]
    fn is_attached(&self, caller: T, task: T) -> bool;
}

/// A descriptor of a task's counters. It is counted; [`Perfctr::release`] gives it back.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an object is not free until each of its files has been released"]
pub struct File {
    /// Place of the object in the pool; none if the task had no counters.
    pub(super) object: Option<usize>,
}

/// The counters of a task, as long as the task or a file needs them.
#[derive(Debug)]
pub(super) struct Object<T, C, S, const N: usize> {
    pub(super) page: Page<C, S, N>,
    /// The task, until it ends or the counters are unlinked.
    pub(super) owner: Option<T>,
    /// The owner and the files.
    pub(super) references: u32,
    /// The counters do not run, not even when their task does.
    pub(super) stopped: bool,
}

impl<T, C: Copy + PartialEq, S: CounterSelect, const N: usize> Object<T, C, S, N> {
    /// An object without owner and files that counts nothing.
    pub(super) fn new() -> Self {
        let page = Page { generation: 0, overflowed: 0, counters: TaskCounters::new(Control::new()) };
        Self { page, owner: None, references: 0, stopped: true }
    }

    /// The counters, whose page changes.
    pub(super) const fn counters(&mut self) -> &mut TaskCounters<C, S, N> {
        self.page.generation = self.page.generation.wrapping_add(1);
        &mut self.page.counters
    }
}

/// The driver of the counters of tasks: `OBJECTS` objects with up to `N` counters each, for tasks that are named by `T`.
///
/// The counters `hw` in its calls are those of the processor that makes the call. A task that is controlled by another has
/// been stopped, so its counters do not run anywhere.
#[derive(Debug)]
pub struct Perfctr<T, C, S, const N: usize, const OBJECTS: usize> {
    pub(super) options: Options,
    /// Known after the initialisation.
    pub(super) info: Option<Info>,
    pub(super) objects: [Option<Object<T, C, S, N>>; OBJECTS],
}

impl<T: Copy + PartialEq, C: Copy + PartialEq, S: CounterSelect, const N: usize, const OBJECTS: usize>
    Perfctr<T, C, S, N, OBJECTS>
{
    /// A driver that has not been initialised: every open fails.
    #[must_use]
    pub const fn new(options: Options) -> Self {
        Self { options, info: None, objects: [const { None }; OBJECTS] }
    }

    /// Initialises the driver for counters `hw`. With [`Options::init_tests`] each of `counters` is tried out first.
    ///
    /// # Errors
    ///
    /// [`SelfTestError`]. The driver stays as it was.
    pub fn init<H>(&mut self, hw: &mut H, counters: &[C], info: Info) -> Result<(), SelfTestError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if self.options.init_tests {
            counters.iter().try_for_each(|counter| self_test(hw, *counter))?;
        }
        self.info = Some(info);
        Ok(())
    }

    /// The entry in `/proc/<pid>`, if the driver has counters of tasks. It exists before the initialisation, and without it.
    #[must_use]
    pub const fn proc_entry(&self) -> Option<ProcEntry> {
        if self.options.virtual_counters { Some(ProcEntry::PERFCTR) } else { None }
    }

    /// How many objects are in use.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.objects.iter().flatten().count()
    }

    /// The object of a task, if it has counters.
    pub(super) fn object_of(&mut self, task: T) -> Option<&mut Object<T, C, S, N>> {
        self.objects.iter_mut().flatten().find(|object| object.owner == Some(task))
    }

    /// The object of a file.
    pub(super) fn object<F>(&mut self, file: &File) -> Result<&mut Object<T, C, S, N>, CallError<F>> {
        let place = file.object.ok_or(CallError::NoCounters)?;
        self.objects.get_mut(place).and_then(Option::as_mut).ok_or(CallError::NoCounters)
    }

    /// A reference less; without any the object is free.
    pub(super) fn put(&mut self, place: usize) {
        let Some(slot) = self.objects.get_mut(place) else { return };
        if let Some(object) = slot {
            object.references = object.references.saturating_sub(1);
            if object.references == 0 {
                *slot = None;
            }
        }
    }
}
