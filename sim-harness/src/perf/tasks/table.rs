//! The tasks that exist, as the system knows them.

use lwp_regs::perf::virtual_counter::perfctr::Tasks;

/// A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(pub usize);

/// Which tasks exist, and who has attached to whom. A task to which another has attached has been stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskTable {
    exist: Vec<bool>,
    attached: Vec<(TaskId, TaskId)>,
}

impl TaskTable {
    pub(super) fn add(&mut self) -> TaskId {
        self.exist.push(true);
        TaskId(self.exist.len() - 1)
    }

    pub(super) fn remove(&mut self, task: TaskId) {
        self.exist[task.0] = false;
        self.attached.retain(|(caller, traced)| *caller != task && *traced != task);
    }

    /// Lets `caller` attach to `task`, as a debugger does.
    pub fn attach(&mut self, caller: TaskId, task: TaskId) {
        self.attached.push((caller, task));
    }

    /// Undoes [`attach`](Self::attach).
    pub fn detach(&mut self, caller: TaskId, task: TaskId) {
        self.attached.retain(|pair| *pair != (caller, task));
    }
}

impl Tasks<TaskId> for TaskTable {
    fn exists(&self, task: TaskId) -> bool {
        self.exist.get(task.0) == Some(&true)
    }

    fn is_attached(&self, caller: TaskId, task: TaskId) -> bool {
        self.attached.contains(&(caller, task))
    }
}
