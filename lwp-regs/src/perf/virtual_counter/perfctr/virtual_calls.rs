//! Calls on the file of a task's counters.

use super::object::Object;
use super::{CallError, File, Info, Page, Perfctr, Tasks};
use crate::perf::virtual_counter::{Control, CounterHardware, CounterSelect, TaskCounters};

impl<T: Copy + PartialEq, C: Copy + PartialEq, S: CounterSelect, const N: usize, const OBJECTS: usize>
    Perfctr<T, C, S, N, OBJECTS>
{
    /// Opens the counters of `task` for `caller`, which is the task itself or has attached to it. With `create` the task
    /// is given counters, which count nothing until [`control`](Self::control). Without, the file is of those that it has,
    /// or of none.
    ///
    /// # Errors
    ///
    /// The first of these that applies: [`CallError::NoDevice`]; with `create` [`CallError::NoMemory`]; for another task
    /// [`CallError::NoSuchTask`], [`CallError::NotAttached`]; with `create` [`CallError::Exists`]. Nothing has changed then.
    pub fn open<F>(&mut self, tasks: &impl Tasks<T>, caller: T, task: T, create: bool) -> Result<File, CallError<F>> {
        if self.info.is_none() || !self.options.virtual_counters {
            return Err(CallError::NoDevice);
        }
        // Allocated before the task is looked at, which may vanish while a system waits for memory.
        let empty = if create { Some(self.allocate()?) } else { None };
        let opened = self.attach(tasks, caller, task, empty);
        if let (Err(_), Some(empty)) = (&opened, empty) {
            self.put(empty);
        }
        opened
    }

    /// A place with a new object, which has one reference.
    fn allocate<F>(&mut self) -> Result<usize, CallError<F>> {
        let place = self.objects.iter().position(Option::is_none).ok_or(CallError::NoMemory)?;
        self.objects[place] = Some(Object { references: 1, ..Object::new() });
        Ok(place)
    }

    fn attach<F>(
        &mut self,
        tasks: &impl Tasks<T>,
        caller: T,
        task: T,
        empty: Option<usize>,
    ) -> Result<File, CallError<F>> {
        if task != caller {
            self.check_remote(tasks, caller, task)?;
        }
        let existing = self.objects.iter().position(|object| object.as_ref().is_some_and(|of| of.owner == Some(task)));
        let place = match (empty, existing) {
            (Some(_), Some(_)) => return Err(CallError::Exists),
            (Some(new), None) => Some(new),
            (None, existing) => existing,
        };
        if let Some(object) = place.and_then(|place| self.objects[place].as_mut()) {
            object.owner = Some(task);
            object.references += 1;
        }
        Ok(File { object: place })
    }

    fn check_remote<F>(&mut self, tasks: &impl Tasks<T>, caller: T, task: T) -> Result<(), CallError<F>> {
        if !tasks.exists(task) {
            return Err(CallError::NoSuchTask);
        }
        let runs = self.object_of(task).is_some_and(|object| object.page.counters.is_running());
        if tasks.is_attached(caller, task) && !runs { Ok(()) } else { Err(CallError::NotAttached) }
    }

    /// Gives a file back. The last reference to counters that belong to no task frees them.
    pub fn release(&mut self, file: File) {
        if let Some(place) = file.object {
            self.put(place);
        }
    }

    /// `PERFCTR_INFO`, which works without counters.
    ///
    /// # Errors
    ///
    /// [`CallError::NoDevice`].
    pub fn info<F>(&self, _file: &File) -> Result<Info, CallError<F>> {
        self.info.ok_or(CallError::NoDevice)
    }

    /// What is mapped to the user, as it is now.
    ///
    /// # Errors
    ///
    /// [`CallError::NoCounters`].
    pub fn mmap<F>(&mut self, file: &File) -> Result<Page<C, S, N>, CallError<F>> {
        self.object(file).map(|object| object.page)
    }

    /// `VPERFCTR_CONTROL`: counts what `control` says from now on, with all sums 0. If the caller is the task, its counters
    /// run at once.
    ///
    /// # Errors
    ///
    /// [`CallError::NoCounters`], [`CallError::Unlinked`], [`CallError::NoSuchTask`], [`CallError::NotAttached`], a fault.
    pub fn control<H>(
        &mut self,
        file: &File,
        (tasks, caller): (&impl Tasks<T>, T),
        hw: &mut H,
        control: Control<C, S, N>,
    ) -> Result<(), CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let owner = self.checked(file, tasks, caller)?;
        let object = self.object(file)?;
        object.counters().suspend(hw).map_err(CallError::Fault)?;
        *object.counters() = TaskCounters::new(control);
        (object.stopped, object.page.overflowed) = (false, 0);
        if owner == caller { object.counters().resume(hw).map_err(CallError::Fault) } else { Ok(()) }
    }

    /// `VPERFCTR_STOP`: the counters stand until the next [`control`](Self::control). Their sums can still be read.
    ///
    /// # Errors
    ///
    /// As [`control`](Self::control).
    pub fn stop<H>(
        &mut self,
        file: &File,
        (tasks, caller): (&impl Tasks<T>, T),
        hw: &mut H,
    ) -> Result<(), CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.checked(file, tasks, caller)?;
        let object = self.object(file)?;
        object.counters().suspend(hw).map_err(CallError::Fault)?;
        object.stopped = true;
        Ok(())
    }

    /// `VPERFCTR_UNLINK`: stops the counters and takes them from their task, which may be given new ones. The file keeps
    /// the last sums.
    ///
    /// # Errors
    ///
    /// As [`control`](Self::control).
    pub fn unlink<H>(
        &mut self,
        file: &File,
        (tasks, caller): (&impl Tasks<T>, T),
        hw: &mut H,
    ) -> Result<(), CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.stop(file, (tasks, caller), hw)?;
        self.object(file)?.owner = None;
        if let Some(place) = file.object {
            self.put(place);
        }
        Ok(())
    }

    /// `VPERFCTR_SAMPLE`: adds what has been counted to the sums.
    ///
    /// # Errors
    ///
    /// As [`control`](Self::control).
    pub fn sample<H>(
        &mut self,
        file: &File,
        (tasks, caller): (&impl Tasks<T>, T),
        hw: &mut H,
    ) -> Result<(), CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.checked(file, tasks, caller)?;
        self.object(file)?.counters().sample(hw).map_err(CallError::Fault)
    }

    /// `VPERFCTR_IRESUME`: the counters that an overflow has stopped go on. Returns which had overflowed, a bit each.
    ///
    /// # Errors
    ///
    /// [`CallError::NothingOverflowed`], or as [`control`](Self::control).
    pub fn iresume<H>(
        &mut self,
        file: &File,
        (tasks, caller): (&impl Tasks<T>, T),
        hw: &mut H,
    ) -> Result<u32, CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.checked(file, tasks, caller)?;
        let object = self.object(file)?;
        if object.page.overflowed == 0 {
            return Err(CallError::NothingOverflowed);
        }
        object.counters().iresume(hw).map_err(CallError::Fault)?;
        Ok(core::mem::take(&mut object.page.overflowed))
    }

    /// The task of the file's counters, if `caller` may control them.
    fn checked<F>(&mut self, file: &File, tasks: &impl Tasks<T>, caller: T) -> Result<T, CallError<F>> {
        let owner = self.object(file)?.owner.ok_or(CallError::Unlinked)?;
        if owner != caller {
            self.check_remote(tasks, caller, owner)?;
        }
        Ok(owner)
    }
}
