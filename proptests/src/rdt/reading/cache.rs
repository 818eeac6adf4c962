//! One cache: for each set its lines in the order of their use.

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Line {
    /// Its number: the address without the bits within a line.
    pub(super) number: u64,
    /// The way that it is in.
    pub(super) way: u32,
    /// RMID of the access that filled it.
    pub(super) rmid: u64,
    /// It was written, and memory does not know yet.
    pub(super) dirty: bool,
}

/// A cache. The line that was used last is the last of its set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cache(Vec<Vec<Line>>);

impl Cache {
    /// Returns an empty cache with so many sets; without sets it holds nothing.
    pub(super) fn new(sets: u64) -> Self {
        Self(vec![Vec::new(); sets as usize])
    }

    fn index(&self, number: u64) -> usize {
        (number % self.0.len() as u64) as usize
    }

    /// Returns the set that a line belongs to.
    pub(super) fn set(&self, number: u64) -> &[Line] {
        if self.0.is_empty() { &[] } else { &self.0[self.index(number)] }
    }

    /// Returns a line.
    pub(super) fn find(&self, number: u64) -> Option<&Line> {
        self.set(number).iter().find(|line| line.number == number)
    }

    /// Makes a line the one that was used last, and returns it.
    pub(super) fn touch(&mut self, number: u64) -> Option<&mut Line> {
        let line = self.remove(number)?;
        let index = self.index(number);
        self.0[index].push(line);
        self.0[index].last_mut()
    }

    /// Returns a line, and leaves the order of use as it is.
    pub(super) fn get(&mut self, number: u64) -> Option<&mut Line> {
        self.find(number)?;
        let index = self.index(number);
        self.0[index].iter_mut().find(|line| line.number == number)
    }

    /// Removes a line.
    pub(super) fn remove(&mut self, number: u64) -> Option<Line> {
        self.find(number)?;
        let index = self.index(number);
        let at = self.0[index].iter().position(|line| line.number == number)?;
        Some(self.0[index].remove(at))
    }

    /// Adds a line as the one that was used last.
    pub(super) fn push(&mut self, line: Line) {
        let index = self.index(line.number);
        self.0[index].push(line);
    }

    /// Returns the way that a line goes into, of those allowed: the lowest without a line, otherwise that of the line whose use is
    /// longest ago. `None` if no way is allowed.
    pub(super) fn place(&self, number: u64, allowed: u64) -> Option<u32> {
        let set = self.set(number);
        let taken = set.iter().fold(0, |taken, line| taken | 1 << line.way);
        match allowed & !taken {
            0 => set.iter().find(|line| allowed >> line.way & 1 != 0).map(|line| line.way),
            free => Some(free.trailing_zeros()),
        }
    }

    /// Returns the line in this way of the set of a line.
    pub(super) fn in_way(&self, number: u64, way: u32) -> Option<Line> {
        self.set(number).iter().find(|line| line.way == way).copied()
    }

    /// Returns all lines, set by set.
    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.0.iter().flatten()
    }

    /// Returns all lines in this way and above it, set by set and way by way.
    pub(super) fn ways_from(&self, way: u32) -> Vec<Line> {
        let mut lines = Vec::new();
        for set in &self.0 {
            let mut above: Vec<Line> = set.iter().filter(|line| line.way >= way).copied().collect();
            above.sort_by_key(|line| line.way);
            lines.append(&mut above);
        }
        lines
    }
}
