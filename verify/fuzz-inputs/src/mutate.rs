//! Changes of bytes, the same for the same seed on every machine.

/// Numbers that look random (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }
}

/// Longest input that mutations make.
const LONGEST: usize = 1 << 16;

/// Values at which things break.
const EDGES: [u64; 12] =
    [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 1 << 40, u64::MAX >> 1, u64::MAX];

/// Changes `input` in one to eight places; `other` is one from which parts may come.
pub fn mutate(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..1 << random.below(4) {
        change(input, other, random);
    }
    input.truncate(LONGEST);
}

fn change(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let scale = random.below(8);
    let some = 1 + random.below(1 << scale);
    let end = (at + some).min(input.len());
    match random.below(10) {
        0 | 1 => input[at..end].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        2 => input[at..end].iter_mut().for_each(|byte| *byte = random.number() as u8),
        3 => drop(input.drain(at..end)),
        4 => drop(input.splice(at..at, std::iter::repeat_n(random.number() as u8, some))),
        5 => overwrite(input, at, &edge(random)),
        6 => digits(input, at, random),
        7 => input.truncate(at),
        8 => {
            let from = random.below(other.len() + 1);
            let part = &other[from..(from + some).min(other.len())];
            drop(input.splice(at..at, part.iter().copied()));
        }
        _ => {
            let part = input[at..end].to_vec();
            let to = random.below(input.len() + 1);
            drop(input.splice(to..to, part));
        }
    }
}

/// An edge in 1, 2, 4 or 8 bytes.
fn edge(random: &mut Random) -> Vec<u8> {
    let value = EDGES[random.below(EDGES.len())].wrapping_add(random.below(3) as u64).wrapping_sub(1);
    value.to_le_bytes()[..1 << random.below(4)].to_vec()
}

fn overwrite(input: &mut [u8], at: usize, with: &[u8]) {
    input[at..].iter_mut().zip(with).for_each(|(byte, new)| *byte = *new);
}

/// Replaces the decimal number at or after `at` by an edge: what text formats have.
fn digits(input: &mut Vec<u8>, at: usize, random: &mut Random) {
    let Some(begin) = input[at..].iter().position(u8::is_ascii_digit).map(|found| at + found) else { return };
    let length = input[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = EDGES[random.below(EDGES.len())];
    let text = if random.below(4) == 0 { format!("-{value}") } else { value.to_string() };
    drop(input.splice(begin..begin + length, text.into_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_changes() {
        let run = |seed| {
            let (mut input, mut random) = (b"size = 17".to_vec(), Random(seed));
            (0..100).for_each(|_| mutate(&mut input, b"other", &mut random));
            input
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }

    #[test]
    fn nothing_can_be_changed_as_well() {
        let mut random = Random(7);
        for _ in 0..10_000 {
            let mut input = Vec::new();
            mutate(&mut input, b"", &mut random);
        }
    }
}
