//! The page `docs/src/lwp/flat.md`, and the rows of the model.

use lwp_model::Unit;
use lwp_model::flat::{Field, Values};
use lwp_model::lwp::Lwp;

const PAGE: &str = include_str!("../../docs/src/lwp/flat.md");

/// Name, word, lowest bit and width.
type Line = (String, usize, u32, u32);

/// The fields of the table below a heading, whose words count from `base`, with `prefix` before their names.
fn page(heading: &str, base: usize, prefix: &str) -> Vec<Line> {
    let below = PAGE.split_once(&format!("# {heading}")).expect(heading).1;
    let rows = below.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| {
        let [words, fields] = row.trim_matches('|').split(" | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let words: Vec<usize> =
            words.split(',').map(|word| word.trim().trim_start_matches('+').parse().expect(row)).collect();
        assert!(words.windows(2).all(|pair| pair[1] == pair[0] + 1), "{row}");
        let fields: Vec<Line> = fields
            .split(", ")
            .map(|field| {
                let (bits, name) = field.trim().trim_end_matches('`').split_once('`').expect(row);
                let (lsb, width) = place(bits.trim(), words.len() as u32);
                (format!("{prefix}{name}"), base + words[0], lsb, width)
            })
            .collect();
        fields
    })
    .collect()
}

/// Lowest bit and width of `bits`: one, or the highest and the lowest, or none, which is all.
fn place(bits: &str, words: u32) -> (u32, u32) {
    let number = |text: &str| text.parse::<u32>().expect("a bit");
    match bits.split_once(':') {
        _ if bits.is_empty() => (0, 32 * words),
        Some((high, low)) => (number(low), number(high) - number(low) + 1),
        None => (number(bits), 1),
    }
}

fn model(fields: &[Field]) -> Vec<Line> {
    fields.iter().map(|field| (field.name.to_owned(), field.word, field.lsb, field.width)).collect()
}

/// In whatever order the fields stand.
fn sorted(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort();
    lines
}

fn check_inputs<const W: usize>() {
    let lanes = (0..W).flat_map(|lane| page("Inputs of a lane", 12 + 11 * lane, &format!("lanes[{lane}].")));
    let inputs = page("Inputs (12 + 11 x RetireLanes words)", 0, "").into_iter().chain(lanes).collect();
    assert_eq!(sorted(model(Lwp::<W, 8, 31>::INPUT_FIELDS)), sorted(inputs));
    assert_eq!(Lwp::<W, 8, 31>::INPUT_WORDS, 12 + 11 * W);
}

#[test]
fn the_page_is_the_table() {
    type Built = Lwp<4, 8, 31>;
    assert_eq!(sorted(model(Built::STRAP_FIELDS)), sorted(page("Straps (3 words)", 0, "")));
    let shown = [page("Outputs\n", 0, ""), page("Probe\n", 0, "state.")].concat();
    assert_eq!(sorted(model(Built::OUTPUT_FIELDS)), sorted(shown));
    assert_eq!((Built::STRAP_WORDS, Built::OUTPUT_WORDS), (3, 12 + 67));
    check_inputs::<1>();
    check_inputs::<2>();
    check_inputs::<4>();
    check_inputs::<8>();
}

// What an inputs row of noise says of each field is what is packed again, except codes without a meaning.
#[test]
fn fields_read_what_is_packed() {
    type Built = Lwp<2, 3, 10>;
    for seed in 0..500_u32 {
        let row: [u32; Built::INPUT_WORDS] =
            core::array::from_fn(|word| (seed + 7 * word as u32 + 1).wrapping_mul(0x9E37_79B9));
        let (inputs, rst_n) = Built::unpack_inputs(&row);
        let mut back = [u32::MAX; Built::INPUT_WORDS];
        Built::pack_inputs(&inputs, rst_n, &mut back);
        for field in Built::INPUT_FIELDS {
            let meant = match field.of(&row) {
                5.. if field.name == "op_mode" => 2,
                11.. if field.name.ends_with("branch_kind") => 10,
                value => value,
            };
            assert_eq!(field.of(&back), meant, "{}", field.name);
        }
        // By hand, from the page.
        assert_eq!(inputs.ctl.wdata, u64::from(row[2]) << 32 | u64::from(row[1]));
        assert_eq!(inputs.buffer.fill_source, (row[0] >> 27 & 7) as u8);
        assert_eq!(inputs.lanes[1].loads[1].latency, row[12 + 11 + 10] & 0x7FFF_FFFF);
        assert_eq!(inputs.lanes[0].branch_next, u64::from(row[16]) << 32 | u64::from(row[15]));
    }
}

// By hand: the first, one of four choices, the numbers.
#[test]
fn kinds_of_straps() {
    type Built = Lwp<4, 8, 31>;
    let mut values = Vec::new();
    Built::strap_values(&mut |kind| values.push(kind));
    assert_eq!(values.len(), Built::STRAP_FIELDS.len());
    let of = |name: &str| values[Built::STRAP_FIELDS.iter().position(|field| field.name == name).expect(name)];
    assert_eq!((of("present"), of("v86")), (Values::Flag, Values::Flag));
    assert_eq!(of("address_policy"), Values::Named(&["same", "next", "replay", "none"]));
    assert_eq!([of("tail_nth"), of("irq_delay"), of("core_id"), of("lfsr_seed")], [Values::Number; 4]);
}
