//! Safe interface of the C++ shim. All `unsafe` code of the RTL side is in this file.

use super::build_id::{BuildId, Flavour};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;

/// `cpp/table.h`.
#[derive(Debug)]
#[repr(C)]
struct ModelTable {
    name: *const c_char,
    strap_words: u32,
    in_words: u32,
    out_words: u32,
    create: unsafe extern "C" fn(straps: *const u32) -> *mut c_void,
    destroy: unsafe extern "C" fn(instance: *mut c_void),
    power_up: unsafe extern "C" fn(instance: *mut c_void, straps: *const u32),
    load: unsafe extern "C" fn(*mut c_void, *const u32, *const u32, *const u32, *const u32, *mut u32),
    step: unsafe extern "C" fn(instance: *mut c_void, ins: *const u32, outs: *mut u32),
    advance: unsafe extern "C" fn(instance: *mut c_void, outs: *mut u32),
    present: unsafe extern "C" fn(instance: *mut c_void, ins: *const u32),
    run: unsafe extern "C" fn(instance: *mut c_void, ins: *const u32, cycles: usize),
    replay: unsafe extern "C" fn(*mut c_void, *const u32, *const u32, usize, *mut u32) -> i64,
    take_assertion: unsafe extern "C" fn(instance: *mut c_void) -> bool,
    messages: unsafe extern "C" fn(instance: *mut c_void) -> *const c_char,
    mute: unsafe extern "C" fn(instance: *mut c_void, muted: bool),
    open_waves: unsafe extern "C" fn(instance: *mut c_void, path: *const c_char) -> bool,
    close_waves: unsafe extern "C" fn(instance: *mut c_void),
}

// SAFETY: a table is constant data; its pointers lead to a literal and to functions without state.
unsafe impl Sync for ModelTable {}

unsafe extern "C" {
    /// One table of each model, builds in the order of `BuildId`, each fast then traced.
    fn sim_model(index: usize) -> Option<&'static ModelTable>;
}

fn table(build: BuildId, flavour: Flavour) -> &'static ModelTable {
    let index = build.index() * 2 + usize::from(flavour == Flavour::Traced);
    // SAFETY: the registry returns a pointer to constant data, or null past its end.
    let table = unsafe { sim_model(index) }.expect("the registry and BuildId come from one table");
    let flavour = if flavour == Flavour::Fast { "fast" } else { "traced" };
    // SAFETY: the name is a literal of the generated C++.
    let name = unsafe { CStr::from_ptr(table.name) };
    assert_eq!(name.to_str(), Ok(format!("{}_{flavour}", build.name()).as_str()), "registry out of order");
    table
}

/// Verilated instance. Lengths are in 32-bit words, and every call checks them.
#[derive(Debug)]
pub(super) struct Instance {
    table: &'static ModelTable,
    object: NonNull<c_void>,
}

// SAFETY: the object has no ties to a thread: its context is its own, and the shim tells Verilator of it in every call.
unsafe impl Send for Instance {}

impl Instance {
    pub(super) fn new(build: BuildId, flavour: Flavour, straps: &[u32]) -> Self {
        let (table, info) = (table(build, flavour), build.info());
        let words = [table.strap_words, table.in_words, table.out_words].map(|words| words as usize);
        assert_eq!(words, [info.strap_words, info.in_words, info.out_words], "port sizes of {}", info.name);
        assert_eq!(straps.len(), info.strap_words, "words of straps");
        // SAFETY: `straps` has as many words as the shim reads.
        let object = unsafe { (table.create)(straps.as_ptr()) };
        Instance { table, object: NonNull::new(object).expect("operator new does not return null") }
    }

    pub(super) fn power_up(&mut self, straps: &[u32]) {
        assert_eq!(straps.len(), self.table.strap_words as usize, "words of straps");
        // SAFETY: the object lives, is borrowed exclusively, and `straps` has as many words as the shim reads.
        unsafe { (self.table.power_up)(self.object.as_ptr(), straps.as_ptr()) }
    }

    /// `registers`, `row` and `outs` are rows of outputs.
    pub(super) fn load(&mut self, straps: &[u32], registers: &[u32], row: &[u32], ins: &[u32], outs: &mut [u32]) {
        assert_eq!(straps.len(), self.table.strap_words as usize, "words of straps");
        assert_eq!(ins.len(), self.table.in_words as usize, "words of inputs");
        for length in [registers.len(), row.len(), outs.len()] {
            assert_eq!(length, self.table.out_words as usize, "words of outputs");
        }
        let [straps, registers, row, ins] = [straps, registers, row, ins].map(<[u32]>::as_ptr);
        // SAFETY: the object lives, is borrowed exclusively, and each slice has the length of one row of its kind.
        unsafe { (self.table.load)(self.object.as_ptr(), straps, registers, row, ins, outs.as_mut_ptr()) }
    }

    pub(super) fn step(&mut self, ins: &[u32], outs: &mut [u32]) {
        assert_eq!(ins.len(), self.table.in_words as usize, "words of inputs");
        assert_eq!(outs.len(), self.table.out_words as usize, "words of outputs");
        // SAFETY: the object lives, is borrowed exclusively, and both slices have the length of one row.
        unsafe { (self.table.step)(self.object.as_ptr(), ins.as_ptr(), outs.as_mut_ptr()) }
    }

    pub(super) fn advance(&mut self, outs: &mut [u32]) {
        assert_eq!(outs.len(), self.table.out_words as usize, "words of outputs");
        // SAFETY: the object lives, is borrowed exclusively, and the slice has the length of one row.
        unsafe { (self.table.advance)(self.object.as_ptr(), outs.as_mut_ptr()) }
    }

    pub(super) fn present(&mut self, ins: &[u32]) {
        assert_eq!(ins.len(), self.table.in_words as usize, "words of inputs");
        // SAFETY: the object lives, is borrowed exclusively, and the slice has the length of one row.
        unsafe { (self.table.present)(self.object.as_ptr(), ins.as_ptr()) }
    }

    pub(super) fn run(&mut self, ins: &[u32]) {
        let cycles = self.cycles(ins);
        // SAFETY: the object lives, is borrowed exclusively, and `ins` has `cycles` rows.
        unsafe { (self.table.run)(self.object.as_ptr(), ins.as_ptr(), cycles) }
    }

    /// Index of the cycle after which the replay stopped. `actual` holds its outputs.
    pub(super) fn replay(&mut self, ins: &[u32], expected: &[u32], actual: &mut [u32]) -> Option<usize> {
        let cycles = self.cycles(ins);
        let row = self.table.out_words as usize;
        assert_eq!(expected.len(), cycles * row, "rows of expected outputs");
        assert_eq!(actual.len(), row, "words of outputs");
        let object = self.object.as_ptr();
        // SAFETY: the object lives, is borrowed exclusively; `ins` and `expected` have `cycles` rows, `actual` has one.
        let at = unsafe { (self.table.replay)(object, ins.as_ptr(), expected.as_ptr(), cycles, actual.as_mut_ptr()) };
        usize::try_from(at).ok()
    }

    pub(super) fn take_assertion(&mut self) -> bool {
        // SAFETY: the object lives and is borrowed exclusively.
        unsafe { (self.table.take_assertion)(self.object.as_ptr()) }
    }

    pub(super) fn messages(&mut self) -> String {
        // SAFETY: the object lives and is borrowed exclusively.
        let text = unsafe { (self.table.messages)(self.object.as_ptr()) };
        // SAFETY: the shim returns a text of the object that ends in a zero and changes in no call before the copy is made.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    pub(super) fn mute(&mut self, muted: bool) {
        // SAFETY: the object lives and is borrowed exclusively.
        unsafe { (self.table.mute)(self.object.as_ptr(), muted) }
    }

    pub(super) fn open_waves(&mut self, path: &CStr) -> bool {
        // SAFETY: the object lives, is borrowed exclusively, and the path ends in a zero.
        unsafe { (self.table.open_waves)(self.object.as_ptr(), path.as_ptr()) }
    }

    pub(super) fn close_waves(&mut self) {
        // SAFETY: the object lives and is borrowed exclusively.
        unsafe { (self.table.close_waves)(self.object.as_ptr()) }
    }

    fn cycles(&self, ins: &[u32]) -> usize {
        let row = self.table.in_words as usize;
        assert_eq!(ins.len() % row, 0, "inputs must be whole rows of {row} words");
        ins.len() / row
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the object came from `create` and nobody can use it any more.
        unsafe { (self.table.destroy)(self.object.as_ptr()) }
    }
}
